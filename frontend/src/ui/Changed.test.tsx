import { render, screen } from '@testing-library/react';
import { Changed } from './Changed';

test('a text is tinted when it changes, and not when it is first shown', () => {
  const { rerender } = render(<Changed text="1" />);
  expect(screen.getByText('1')).not.toHaveAttribute('class');
  rerender(<Changed text="1" />);
  expect(screen.getByText('1')).not.toHaveAttribute('class');
  rerender(<Changed text="2" />);
  expect(screen.getByText('2')).toHaveAttribute('class');
  const first = screen.getByText('2');
  rerender(<Changed text="1" />);
  expect(screen.getByText('1')).not.toBe(first);
});
