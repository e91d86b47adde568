/** Shows and changes the server of this device without losing or mixing data. */
import { type CheckedServer, type ConfirmedServer, readConnectLink, type ServerChoice } from '@parley/contract';
import { ok } from '@parley/domain';
import type { Logger } from '../logger.ts';
import { type HostFailure, type HostResult, failed } from '../result/index.ts';
import { createSerialQueue } from '../serial-queue.ts';
import { hasPractised, type Store } from '../store/index.ts';
import { clearCredentials, type TokenVault } from '../server/index.ts';
import { hasEmail, leaveServer, type SwitchableSync } from '../sync/index.ts';
import { checkServer } from './check-server.ts';
import {
  type ConfiguredServers,
  NO_SERVER,
  readServerChoice,
  readStoredChoice,
  type StoredChoice,
  writeServerChoice,
} from './stored-choice.ts';
import { parseServerAddress } from './server-address.ts';

export type ChangedServer = ServerChoice & { isReopening: boolean };

export interface ChangeRequest {
  url: string | null;
  migratesData: boolean;
  /** The description of the server to which the learner agreed; null when they were asked only for its address. */
  confirmed: ConfirmedServer | null;
  /** Whether the learner agreed to leave behind what this device cannot download from the current server. */
  abandonsUndownloaded: boolean;
}

export interface ServerChoices {
  read(): ServerChoice;
  check(typed: string): Promise<HostResult<CheckedServer>>;
  /** Asks a server that was chosen before servers stated ids for its id. */
  learnServerId(signal: AbortSignal): Promise<void>;
  /** The kind of server at the chosen address, as one word for a report; null when no server is chosen. */
  describeAnswer(): Promise<string | null>;
  change(request: ChangeRequest): Promise<HostResult<ChangedServer>>;
}

/** The installation's other profiles. A host without them has a single folder, whose server changes in place. */
export interface ProfileSwitch {
  mustChoose(): boolean;
  suggestedUrl(): string | null;
  others(): StoredChoice[];
  markChosen(): void;
  /** Reopens the app on the profile of this server, which is created if there is none. */
  open(server: StoredChoice): void;
}

export interface ServerChoicesParts {
  store: Store;
  vault: TokenVault;
  sync: SwitchableSync;
  given: ConfiguredServers;
  profiles: ProfileSwitch | null;
  logger: Logger;
  /** Downloads everything that only the current server has, apart from rows. Returns why that failed, or null. */
  fetchFiles: () => Promise<HostFailure | null>;
  /** Lets other features reconnect to the new server. */
  onChanged: (url: string | null) => void;
}

export function createServerChoices(parts: ServerChoicesParts): ServerChoices {
  const { store, vault, sync, given, profiles, logger, onChanged } = parts;
  const read = (): ServerChoice => ({
    ...readServerChoice(store.dataDir, given),
    mustChoose: profiles?.mustChoose() ?? false,
    suggestedUrl: profiles?.suggestedUrl() ?? null,
    hasWork: hasPractised(store),
    otherUrls: profiles?.others().map(({ url }) => url) ?? [],
  });

  async function ask(typed: string): Promise<HostResult<CheckedServer & StoredChoice & { url: string }>> {
    const address = parseServerAddress(readConnectLink(typed) ?? typed);
    if (!address.ok) return address;
    const about = await checkServer(address.value);
    if (!about.ok) return about;
    const isDefault = address.value === profiles?.suggestedUrl();
    const server = { url: address.value, serverId: about.value.id ?? null, isDefault };
    return ok({ ...server, version: about.value.version, relation: relate(server) });
  }

  /** A server whose work is already on this device can be opened even while the server does not answer. */
  async function find(typed: string | null): Promise<HostResult<StoredChoice>> {
    if (typed === null) return ok(NO_SERVER);
    const asked = await ask(typed);
    if (asked.ok) {
      const { url, serverId, isDefault } = asked.value;
      return ok({ url, serverId, isDefault });
    }
    const address = parseServerAddress(typed);
    const known = profiles?.others().find(({ url }) => address.ok && url === address.value);
    return known === undefined ? asked : ok(known);
  }

  function relate(server: StoredChoice): CheckedServer['relation'] {
    const { url } = read();
    const open: StoredChoice = { ...(readStoredChoice(store.dataDir) ?? NO_SERVER), url };
    if (isSameServer(open, server)) return 'open';
    if (profiles?.others().some((other) => isSameServer(other, server)) === true) return 'known';
    return url !== null && open.serverId !== null && open.serverId === server.serverId ? 'moved' : 'new';
  }

  const changes = createSerialQueue();

  const fetchAll = async (): Promise<boolean> => (await sync.fetchEverything()) && (await parts.fetchFiles()) === null;

  const stay = (): ChangedServer => ({ ...read(), isReopening: false });

  /** Gives the open profile a different server. */
  async function changeInPlace(server: StoredChoice, { isMoved }: { isMoved: boolean }): Promise<ChangedServer> {
    await sync.switchServer(server.url, async () => {
      // This order is safe against a crash: a device that has lost its token is only signed out, and its work stays.
      await clearCredentials(vault);
      await leaveServer(store, { isMoved });
      writeServerChoice(store.dataDir, server);
      profiles?.markChosen();
      onChanged(server.url);
    });
    return stay();
  }

  return {
    read,
    check: async (typed) => {
      const asked = await ask(typed);
      if (!asked.ok) return asked;
      const { url, version, relation, serverId } = asked.value;
      return ok({ url, version, relation, serverId });
    },
    async learnServerId(signal) {
      const stored = readStoredChoice(store.dataDir);
      if (given.fixed !== null || stored === undefined || stored.url === null || stored.serverId !== null) return;
      const about = await checkServer(stored.url, signal);
      const serverId = about.ok ? (about.value.id ?? null) : null;
      if (serverId === null || signal.aborted) return;
      try {
        writeServerChoice(store.dataDir, { ...stored, serverId });
      } catch (error) {
        // The next start asks again.
        logger.warn({ err: error }, 'server_id_not_stored');
      }
    },
    async describeAnswer() {
      const { url } = read();
      if (url === null) return null;
      const about = await checkServer(url);
      return about.ok ? `parley ${about.value.version ?? 'of unknown version'}` : about.error.code;
    },
    change: ({ url, migratesData, confirmed, abandonsUndownloaded }) =>
      changes.run(async () => {
        if (given.fixed !== null) return failed('server.fixed');
        const found = await find(url);
        if (!found.ok) return found;
        const server = found.value;
        const relation = relate(server);
        if (url !== null && !isAsConfirmed({ relation, serverId: server.serverId }, confirmed))
          return failed('server.answer_changed');
        const open = read();
        if (relation === 'open') {
          writeServerChoice(store.dataDir, server);
          profiles?.markChosen();
          return ok(stay());
        }
        // Work that belongs to no server may move with the learner; an empty profile has nothing to leave behind.
        const canMigrateData = open.url === null && relation === 'new' && (migratesData || !open.hasWork);
        if (profiles === null || relation === 'moved' || canMigrateData) {
          // A learner who signs in to the same server again finds everything there, and this device keeps what it has.
          const isMoved = relation === 'moved';
          const isKept = isMoved && hasEmail(store, store.identity().userId);
          return isKept || abandonsUndownloaded || (await fetchAll())
            ? ok(await changeInPlace(server, { isMoved }))
            : failed('server.not_downloaded');
        }
        if (readStoredChoice(store.dataDir) === undefined)
          writeServerChoice(store.dataDir, { ...NO_SERVER, url: open.url, isDefault: open.from === 'build' });
        profiles.open(server);
        return ok({ ...read(), isReopening: true });
      }),
  };
}

/** A server could answer harmlessly while the learner is being asked, and claim the open profile's work afterwards. */
const isAsConfirmed = (now: ConfirmedServer, confirmed: ConfirmedServer | null): boolean =>
  confirmed === null
    ? now.relation !== 'moved'
    : now.relation === confirmed.relation && (now.relation === 'known' || now.serverId === confirmed.serverId);

/**
 * An id alone proves nothing, because any server can state another's id; so the address must match too. If a known
 * address states a different id, it now belongs to another server.
 */
export const isSameServer = (a: StoredChoice, b: StoredChoice): boolean =>
  a.url === b.url && (a.serverId === null || b.serverId === null || a.serverId === b.serverId);
