-- Triggers that make changes of a table slow or fail. `events` is such as 'UPDATE' or 'DELETE',
-- `condition` what WHEN takes.

CREATE SEQUENCE IF NOT EXISTS fault_number;
CREATE SEQUENCE IF NOT EXISTS fault_fires;

CREATE OR REPLACE FUNCTION fault_sleep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_sleep(TG_ARGV[0]::float8);
    RETURN COALESCE(NEW, OLD);
END $$;

-- Sequences do not roll back, so the times are counted although each undoes its transaction.
CREATE OR REPLACE FUNCTION fault_raise() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF nextval('fault_fires') <= TG_ARGV[0]::int THEN
        RAISE EXCEPTION 'injected failure' USING ERRCODE = TG_ARGV[1];
    END IF;
    RETURN COALESCE(NEW, OLD);
END $$;

-- The changes take so long inside their statement.
CREATE OR REPLACE FUNCTION fault_slow(target regclass, events text, condition text, seconds float8)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE TRIGGER fault_%s AFTER %s ON %s FOR EACH ROW WHEN (%s)'
                   ' EXECUTE FUNCTION fault_sleep(%L)',
                   nextval('fault_number'), events, target, condition, seconds);
END $$;

-- The COMMIT of a transaction with such a change takes so long.
CREATE OR REPLACE FUNCTION
    fault_slow_commit(target regclass, events text, condition text, seconds float8)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE CONSTRAINT TRIGGER fault_%s AFTER %s ON %s'
                   ' DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%s)'
                   ' EXECUTE FUNCTION fault_sleep(%L)',
                   nextval('fault_number'), events, target, condition, seconds);
END $$;

-- The first so many changes fail with this SQLSTATE.
CREATE OR REPLACE FUNCTION
    fault_fail(target regclass, events text, condition text, times int, code text)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM setval('fault_fires', 1, false);
    EXECUTE format('CREATE TRIGGER fault_%s BEFORE %s ON %s FOR EACH ROW WHEN (%s)'
                   ' EXECUTE FUNCTION fault_raise(%L, %L)',
                   nextval('fault_number'), events, target, condition, times, code);
END $$;

CREATE OR REPLACE FUNCTION fault_clear() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    fault record;
BEGIN
    FOR fault IN
        SELECT tgname, tgrelid::regclass AS target FROM pg_trigger WHERE tgname LIKE 'fault\_%'
    LOOP
        EXECUTE format('DROP TRIGGER %I ON %s', fault.tgname, fault.target);
    END LOOP;
END $$;
