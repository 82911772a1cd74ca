import { changed, fromAddress } from './filters';

test('what the address cannot mean is left out', () => {
  const params = new URLSearchParams('status=failed&status=blocked&created_after=soon&name=%20');
  expect(fromAddress(params)).toEqual({ status: ['failed'] });
});

test('another question begins at its first page', () => {
  const next = changed(new URLSearchParams('cursor=abc&status=failed'), { name: 'release' });
  expect(next.toString()).toBe('status=failed&name=release');
  expect(changed(next, { status: null }).toString()).toBe('name=release');
});
