"""The load test: `plan` says what to enqueue, `drive` does it, `facts` reads what came of it from
the database, `figures` and `verdict` judge it, `report` prints it."""
