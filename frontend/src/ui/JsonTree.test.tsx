import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { parseExact } from '../lib/exactJson';
import { JsonTree } from './JsonTree';

test('a long list is rendered in parts', async () => {
  render(<JsonTree value={Array.from({ length: 250 }, (_, n) => `item ${n}`)} />);
  expect(screen.getByText('250 items')).toBeInTheDocument();
  expect(screen.getAllByText(/^"item \d+"$/)).toHaveLength(100);
  await userEvent.click(screen.getByRole('button', { name: /150 left/ }));
  expect(screen.getAllByText(/^"item \d+"$/)).toHaveLength(250);
});

test('what is closed is not rendered', () => {
  const rows = Array.from({ length: 40 }, (_, n) => ({ secret: n }));
  render(<JsonTree value={{ rows }} />);
  expect(screen.getByText('40 items')).toBeInTheDocument();
  expect(screen.queryByText('secret:')).toBeNull();
});

test('a long text is cut until it is asked for', async () => {
  render(<JsonTree value={{ text: 'x'.repeat(5000) }} />);
  await userEvent.click(screen.getByRole('button', { name: /5,000 characters/ }));
  expect(screen.getByText(`"${'x'.repeat(5000)}"`)).toBeInTheDocument();
});

test('numbers keep every digit, and markup is text', () => {
  render(<JsonTree value={parseExact('{"a": 12345678901234567890, "b": "<b>bold</b>"}')} />);
  expect(screen.getByText('12345678901234567890')).toBeInTheDocument();
  expect(screen.getByText('"<b>bold</b>"')).toBeInTheDocument();
});
