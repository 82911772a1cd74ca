import { useState } from 'react';
import { Button } from '../ui/Button';
import table from '../ui/table.module.css';
import css from './charts.module.css';
import { type ChartData, moment } from './series';

const ROWS = 5;

interface Props {
  title: string;
  data: ChartData;
  value: (point: number | null | undefined) => string;
}

/** The points of a chart, the latest first, a few at a time. */
export function PointsTable({ title, data, value }: Props) {
  const [page, setPage] = useState(0);
  const { times, series, stepSeconds } = data;
  const steps = times.map((_, step) => times.length - 1 - step);
  const shown = steps.slice(page * ROWS, (page + 1) * ROWS);
  const more = (page + 1) * ROWS < times.length;
  return (
    <div className={css.points}>
      <table className={table.table}>
        <caption className="visually-hidden">{title}</caption>
        <thead>
          <tr>
            <th scope="col">From</th>
            {series.map(({ name }) => (
              <th key={name} scope="col" className={table.num}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((step) => (
            <tr key={step}>
              <th scope="row">{moment(times[step] ?? 0, stepSeconds)}</th>
              {series.map(({ name, points }) => (
                <td key={name} className={table.num}>
                  {value(points[step])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div className={css.turn}>
        <Button disabled={page === 0} onClick={() => setPage(page - 1)}>
          Later
        </Button>
        <Button disabled={!more} onClick={() => setPage(page + 1)}>
          Earlier
        </Button>
      </div>
    </div>
  );
}
