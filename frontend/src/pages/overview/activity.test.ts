import { event } from '../../testing/samples';
import { putBoot } from '../../testing/server';
import { Activity } from './activity';

const feed = (ids: number[], more = false) => ({
  results: ids.map((id) => event(id, 'enqueued', 'queued', id)),
  cursor: `c${ids.at(-1) ?? 0}`,
  more,
});

let asked: (string | null)[];
let answers: object[];

beforeEach(() => {
  putBoot();
  asked = [];
  answers = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    asked.push(new URL(request.url).searchParams.get('after'));
    return new Response(JSON.stringify(answers.shift()));
  });
});

const signal = new AbortController().signal;
const ids = async (activity: Activity) => (await activity.read(signal)).map(({ id }) => id);

test('it begins now, and the latest comes first', async () => {
  answers = [feed([]), feed([1, 2]), feed([3])];
  const activity = new Activity();
  expect([await ids(activity), await ids(activity), await ids(activity)]).toEqual([
    [],
    [2, 1],
    [3, 2, 1],
  ]);
  expect(asked).toEqual([null, 'c0', 'c2']);
});

test('a few are kept, and a flood is not followed to its end', async () => {
  answers = [
    feed(
      Array.from({ length: 30 }, (_, n) => n),
      true,
    ),
    feed([]),
  ];
  const activity = new Activity();
  expect(await ids(activity)).toHaveLength(12);
  await activity.read(signal);
  expect(asked).toEqual([null, null]);
});
