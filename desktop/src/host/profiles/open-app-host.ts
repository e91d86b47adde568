/** Keeps the host of the open profile, and replaces it when the learner switches to another profile. */
import type { SwitchFailure } from '@parley/contract';
import { keepNewFilesPrivate, preparePrivateFolder } from '@parley/file-permissions';
import { createHost, type Host } from '../create-host.ts';
import { completeWipe } from '../remote-wipe/index.ts';
import type { HostOptions } from '../host-options.ts';
import {
  isSameServer,
  NO_SERVER,
  parseServerAddress,
  type ProfileSwitch,
  type StoredChoice,
} from '../server-choice/index.ts';
import { createFileVault, type TokenVault } from '../server/index.ts';
import type { Reopen } from '../support/index.ts';
import { startFailureOf } from '../start-failure.ts';
import { HostStartError, lockDataFolder } from '../store/index.ts';
import { openProfileRegistry, type Profile, type ProfileRegistry } from './profile-registry.ts';

export interface AppHostOptions extends Omit<
  HostOptions,
  'tokenVault' | 'profiles' | 'repair' | 'switchFailure' | 'reopen'
> {
  /** Makes the vault of a profile; each has its own token. */
  tokenVaultIn?: (dataDir: string) => TokenVault;
}

export interface AppHost {
  /** The host of the open profile. Waits while another profile is being opened. */
  host(): Promise<Host>;
  close(): Promise<void>;
}

/** Rejects with a `HostStartError` when another program holds the folder, or the folder cannot be used. */
export async function openAppHost(options: AppHostOptions): Promise<AppHost> {
  try {
    return await openProfiles(options);
  } catch (error) {
    const code = startFailureOf(error);
    throw code === null ? error : new HostStartError(code, 'The data folder cannot be used.', { cause: error });
  }
}

async function openProfiles(options: AppHostOptions): Promise<AppHost> {
  const { dataDir: rootDir, serverUrl, defaultServerUrl = null, logger } = options;
  keepNewFilesPrivate();
  preparePrivateFolder(rootDir);
  const registry = openProfileRegistry(rootDir, logger);
  const now = (): Date => options.clock?.now() ?? new Date();
  let isClosed = false;
  let isSafeMode = options.safeMode ?? false;

  const profiles: ProfileSwitch = {
    mustChoose: () => !registry.hasChosen(),
    suggestedUrl: () => defaultServerUrl,
    others: () => {
      const { id } = registry.current();
      return registry.list().flatMap((each) => (each.id === id ? [] : [serverOf(each)]));
    },
    markChosen: () => registry.markChosen(),
    open(server) {
      const { id } = registry.current();
      const known = registry.list().find((each) => each.id !== id && isSameServer(serverOf(each), server));
      registry.select((known ?? registry.create(server)).id);
      // The response to the window that asked goes out first.
      setImmediate(() => reopen({}));
    },
  };

  const serverOf = ({ server = NO_SERVER }: Profile): StoredChoice =>
    server.isDefault ? { ...server, url: defaultServerUrl } : server;

  let current = openProfile();
  /** If the chosen profile cannot be opened, the former one is opened again. */
  function reopen(request: Parameters<Reopen>[0]): void {
    if (isClosed) return;
    isSafeMode = request.safeMode ?? isSafeMode;
    const former = current;
    current = former.then(async ({ host, profile, unlock }) => {
      host.announceReopening();
      await host.close();
      unlock();
      try {
        return await openProfile({ repair: request.repair ?? false });
      } catch (error) {
        logger?.error({ err: error }, 'profile_open_failed');
        const isSwitch = registry.current().id !== profile.id;
        registry.select(profile.id);
        return openProfile({ switchFailure: isSwitch ? toSwitchFailure(error) : null });
      }
    });
    current.catch((error: unknown) => logger?.error({ err: error }, 'profile_reopen_failed'));
  }

  /** Also in profiles that are not opened: a deletion that was interrupted must not wait for the learner. */
  async function completeWipes({ id: openedId }: Profile): Promise<void> {
    for (const { id, dataDir } of registry.list())
      try {
        await completeWipe(dataDir, { now, logger });
      } catch (error) {
        if (id === openedId) throw error;
        // The next start tries again, and the profile is not opened until the deletion is complete.
        logger?.error({ err: error }, 'wipe_failed');
      }
  }

  async function openProfile({
    repair = false,
    switchFailure = null,
  }: Pick<HostOptions, 'repair' | 'switchFailure'> = {}): Promise<{
    host: Host;
    profile: Profile;
    unlock: () => void;
  }> {
    // Two programs must not open two profiles of one folder.
    const lock = lockDataFolder(rootDir);
    try {
      registry.prepare();
      if (serverUrl !== null) registry.select(profileForFixedServer(registry, serverUrl).id);
      const profile = registry.current();
      await completeWipes(profile);
      // The first profile's store locks the folder itself.
      if (profile.dataDir === rootDir) lock.release();
      const host = await createHost({
        ...options,
        dataDir: profile.dataDir,
        // The server that the build ships with gets nothing before the learner has agreed, and never the work of
        // another profile.
        defaultServerUrl: registry.hasChosen() && usesDefault(profile) ? defaultServerUrl : null,
        tokenVault: (options.tokenVaultIn ?? createFileVault)(profile.dataDir),
        profiles,
        repair,
        switchFailure,
        safeMode: isSafeMode,
        reopen: (request) => void setImmediate(() => reopen(request)),
      });
      return { host, profile, unlock: () => lock.release() };
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  await current;
  return {
    host: async () => (await current).host,
    async close() {
      isClosed = true;
      const { host, unlock } = await current;
      await host.close();
      unlock();
    },
  };
}

const toSwitchFailure = (error: unknown): SwitchFailure =>
  error instanceof HostStartError && error.code === 'storage.newer' ? 'newer' : 'other';

/**
 * An installation from before profiles existed may never have chosen; its work belongs to the server that the build
 * ships with.
 */
const usesDefault = ({ id, server }: Profile): boolean => (server === undefined ? id === 'first' : server.isDefault);

/**
 * A server that is named in the environment gets the profile for its address. A server on this computer gets the first
 * profile, because its port may change at each start.
 */
function profileForFixedServer(registry: ProfileRegistry, serverUrl: string): Profile {
  const address = parseServerAddress(serverUrl);
  const server: StoredChoice = { ...NO_SERVER, url: address.ok ? address.value : serverUrl };
  const profiles = registry.list();
  const [first] = profiles;
  const isLocal = (url: string | null): boolean => url !== null && URL.parse(url)?.protocol === 'http:';
  const isFree = (profile: Profile): boolean =>
    profile.server === undefined || (isLocal(profile.server.url) && isLocal(server.url));
  return (
    profiles.find((profile) => profile.server !== undefined && isSameServer(profile.server, server)) ??
    (first !== undefined && isFree(first) ? first : registry.create(server))
  );
}
