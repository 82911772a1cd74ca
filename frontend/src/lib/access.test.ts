import { boot } from '../boot';
import { putBoot } from '../testing/server';
import { forbidden, READ_ONLY } from './access';

putBoot();

afterEach(() => {
  boot().readOnly = false;
  boot().permissions.retry_job = true;
});

test('what the user may do is not forbidden', () => {
  expect(forbidden('retry_job')).toBeUndefined();
});

test('a missing permission is named', () => {
  boot().permissions.retry_job = false;
  expect(forbidden('retry_job')).toBe('It needs the permission qforge.retry_job');
});

test('a read-only console lets everybody look and nobody change', () => {
  boot().readOnly = true;
  expect(forbidden('retry_job')).toBe(READ_ONLY);
  expect(forbidden('view_job')).toBeUndefined();
  expect(forbidden('export_job')).toBeUndefined();
});
