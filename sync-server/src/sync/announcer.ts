/** Carries word of what moved to the listeners of this node at once, and to the other nodes a few milliseconds later, together. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Channel, MAX_MESSAGE_BYTES } from '../db/channel.ts';
import type { PokeHub } from './pokes.ts';

/** A notification takes a lock that all commits wait for: one for many is what keeps it cheap. */
const GATHER_MS = 10;
const MAX_USERS = 100;

const News = z.strictObject({
  from: z.uuid(),
  users: z.array(z.tuple([z.uuid(), z.number().int().min(0)])),
  catalogue: z.number().int().min(0).optional(),
  signedOut: z.array(z.uuid()),
});
type News = z.infer<typeof News>;

export interface Announcer {
  userMoved: (userId: string, version: number) => void;
  catalogueMoved: (version: number) => void;
  signedOut: (deviceId: string) => void;
  close: () => Promise<void>;
}

export interface AnnouncerParts {
  hub: PokeHub;
  /** Null where there is one node. */
  channel: Channel | null;
  /** A message did not go out or did not come in: devices ask by themselves every few minutes. */
  onLoss: (error: unknown) => void;
}

export async function createAnnouncer({ hub, channel, onLoss }: AnnouncerParts): Promise<Announcer> {
  const node = randomUUID();
  let users = new Map<string, number>();
  let signedOut: string[] = [];
  let catalogue: number | null = null;
  let timer: NodeJS.Timeout | null = null;
  let sending: Promise<void> = Promise.resolve();

  function take(): News {
    const some = [...users].slice(0, MAX_USERS);
    for (const [userId] of some) users.delete(userId);
    const news: News = {
      from: node,
      users: some,
      signedOut: signedOut.splice(0, MAX_USERS),
      ...(catalogue === null ? {} : { catalogue }),
    };
    catalogue = null;
    return news;
  }

  async function flush(): Promise<void> {
    while (channel !== null && (users.size > 0 || signedOut.length > 0 || catalogue !== null)) {
      const message = JSON.stringify(take());
      if (Buffer.byteLength(message) > MAX_MESSAGE_BYTES) throw new Error('a message to the other nodes is too long');
      await channel.send(message);
    }
  }

  function gather(): void {
    if (timer !== null) return;
    timer = setTimeout(() => {
      timer = null;
      sending = sending.then(flush).catch(onLoss);
    }, GATHER_MS);
  }

  function hear(message: string): void {
    const news = News.safeParse(parseJson(message));
    if (!news.success || news.data.from === node) return;
    for (const [userId, version] of news.data.users) hub.userMoved(userId, version);
    if (news.data.catalogue !== undefined) hub.catalogueMoved(news.data.catalogue);
    for (const deviceId of news.data.signedOut) hub.signOut(deviceId);
  }

  await channel?.listen({ onMessage: hear, onGap: () => hub.askAgain() });
  return {
    userMoved(userId, version) {
      hub.userMoved(userId, version);
      if (channel === null) return;
      users.set(userId, Math.max(version, users.get(userId) ?? 0));
      gather();
    },
    catalogueMoved(version) {
      hub.catalogueMoved(version);
      if (channel === null) return;
      catalogue = version;
      gather();
    },
    signedOut(deviceId) {
      hub.signOut(deviceId);
      if (channel === null) return;
      signedOut.push(deviceId);
      gather();
    },
    async close() {
      hub.close();
      if (timer !== null) clearTimeout(timer);
      await sending;
      await flush().catch(onLoss);
      users = new Map();
      signedOut = [];
      await channel?.close();
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
