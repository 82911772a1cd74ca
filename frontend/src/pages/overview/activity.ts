import { api, read, type Schemas } from '../../api/client';

export type FeedEvent = Schemas['QForgeFeedEvent'];

const KEPT = 12;
const LIMIT = 200;

/** What has happened since the page was opened, the latest first; a few of it. */
export class Activity {
  private cursor: string | undefined;
  private events: FeedEvent[] = [];

  /** Reads on. Of more than fits an answer only the beginning is shown; the next read is of now. */
  async read(signal: AbortSignal): Promise<FeedEvent[]> {
    const query = { after: this.cursor, limit: LIMIT };
    const feed = await read<Schemas['QForgeFeed']>(
      api().GET('/api/events/', { params: { query }, signal, parseAs: 'text' }),
    );
    this.cursor = feed.more ? undefined : feed.cursor;
    const fresh = [...feed.results].reverse();
    this.events = [...fresh, ...this.events].slice(0, KEPT);
    return this.events;
  }
}
