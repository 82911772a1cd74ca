import css from './schedules.module.css';

const COUNTS = [5, 10, 25, 100];

export function HowMany({ count, onChange }: { count: number; onChange: (count: number) => void }) {
  return (
    <fieldset className={css.howMany}>
      <legend className="visually-hidden">How many times</legend>
      {COUNTS.map((choice) => (
        <label key={choice}>
          <input
            type="radio"
            name="count"
            checked={choice === count}
            onChange={() => onChange(choice)}
          />
          <span>{choice}</span>
        </label>
      ))}
    </fieldset>
  );
}
