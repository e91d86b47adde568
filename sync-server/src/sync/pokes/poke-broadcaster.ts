/** Sends pokes to the listeners of this node at once, and to the other nodes in batches a few milliseconds later. */
import { randomUUID } from 'node:crypto';
import { parseJsonOrNull } from '@parley/domain';
import { z } from 'zod';
import { type NotificationChannel, MAX_MESSAGE_BYTES } from '../../db/notification-channel.ts';
import type { PokeHub, PushedRows } from './poke-hub.ts';

/** A notification takes a lock for which every commit waits, so many pokes share one. */
const BATCH_DELAY_MS = 10;
const MAX_USERS_PER_MESSAGE = 100;

const News = z.strictObject({
  from: z.uuid(),
  users: z.array(z.tuple([z.uuid(), z.number().int().min(0)])),
  catalogue: z.number().int().min(0).optional(),
  signedOut: z.array(z.uuid()),
});
type News = z.infer<typeof News>;

export interface PokeBroadcaster {
  /** Only devices on this node get the rows; the others get only the version. */
  pokeLearner: (userId: string, version: number, pushed?: PushedRows) => void;
  pokeCatalogue: (version: number) => void;
  disconnectDevice: (deviceId: string) => void;
  close: () => Promise<void>;
}

export interface PokeBroadcasterParts {
  hub: PokeHub;
  /** Null when there is only one node. */
  channel: NotificationChannel | null;
  /** Called when a message could not be sent or received. Devices pull by themselves every few minutes. */
  onLoss: (error: unknown) => void;
}

export async function createPokeBroadcaster({ hub, channel, onLoss }: PokeBroadcasterParts): Promise<PokeBroadcaster> {
  const node = randomUUID();
  let users = new Map<string, number>();
  let signedOut: string[] = [];
  let catalogue: number | null = null;
  let timer: NodeJS.Timeout | null = null;
  let sending: Promise<void> = Promise.resolve();

  function nextMessage(): News {
    const some = [...users].slice(0, MAX_USERS_PER_MESSAGE);
    for (const [userId] of some) users.delete(userId);
    const news: News = {
      from: node,
      users: some,
      signedOut: signedOut.splice(0, MAX_USERS_PER_MESSAGE),
      ...(catalogue === null ? {} : { catalogue }),
    };
    catalogue = null;
    return news;
  }

  async function flush(): Promise<void> {
    while (channel !== null && (users.size > 0 || signedOut.length > 0 || catalogue !== null)) {
      const message = JSON.stringify(nextMessage());
      if (Buffer.byteLength(message) > MAX_MESSAGE_BYTES) throw new Error('a message to the other nodes is too long');
      await channel.send(message);
    }
  }

  function scheduleFlush(): void {
    if (timer !== null) return;
    timer = setTimeout(() => {
      timer = null;
      sending = sending.then(flush).catch(onLoss);
    }, BATCH_DELAY_MS);
  }

  function handleMessage(message: string): void {
    const news = News.safeParse(parseJsonOrNull(message));
    if (!news.success || news.data.from === node) return;
    for (const [userId, version] of news.data.users) hub.pokeLearner(userId, version);
    if (news.data.catalogue !== undefined) hub.pokeCatalogue(news.data.catalogue);
    for (const deviceId of news.data.signedOut) hub.disconnectDevice(deviceId);
  }

  await channel?.listen({ onMessage: handleMessage, onGap: () => hub.refreshAll() });
  return {
    pokeLearner(userId, version, pushed) {
      hub.pokeLearner(userId, version, pushed);
      if (channel === null) return;
      users.set(userId, Math.max(version, users.get(userId) ?? 0));
      scheduleFlush();
    },
    pokeCatalogue(version) {
      hub.pokeCatalogue(version);
      if (channel === null) return;
      catalogue = version;
      scheduleFlush();
    },
    disconnectDevice(deviceId) {
      hub.disconnectDevice(deviceId);
      if (channel === null) return;
      signedOut.push(deviceId);
      scheduleFlush();
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
