/**
 * The profiles of an installation: one folder for each server that was chosen here, and one for work that stays on this
 * computer. The first profile is the data folder itself, so installations from before profiles keep their files where they are.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readStoredChoice, type StoredChoice, writeServerChoice } from '../server-choice/index.ts';
import type { Logger } from '../logger.ts';
import { databaseFile, renameFile } from '../store/index.ts';

const REGISTRY_FILE = 'profiles.json';
const PROFILES_FOLDER = 'profiles';
const FIRST = 'first';

export const ProfileId = z.union([z.literal(FIRST), z.string().regex(/^\d{1,6}$/)]);
export type ProfileId = z.infer<typeof ProfileId>;

const Registry = z.object({
  current: ProfileId,
  /** Whether the learner has chosen where their work is kept. */
  hasChosen: z.boolean(),
});

export interface Profile {
  id: ProfileId;
  dataDir: string;
  /** Undefined until the learner chooses a server in this profile. */
  server: StoredChoice | undefined;
}

export interface ProfileRegistry {
  /**
   * Must run before the first database exists, because afterwards a new installation looks like a used one. An unreadable registry is kept
   * beside the new one, which opens the first profile.
   */
  prepare(): void;
  current(): Profile;
  hasChosen(): boolean;
  list(): Profile[];
  /** Stores which profile is open from now on. */
  select(id: ProfileId): void;
  markChosen(): void;
  /** Creates an empty profile without selecting it. */
  create(server: StoredChoice): Profile;
}

export function openProfileRegistry(rootDir: string, logger?: Logger): ProfileRegistry {
  const registryFile = join(rootDir, REGISTRY_FILE);
  const folderOf = (id: ProfileId): string => (id === FIRST ? rootDir : join(rootDir, PROFILES_FOLDER, id));
  const profile = (id: ProfileId): Profile => ({
    id,
    dataDir: folderOf(id),
    server: readStoredChoice(folderOf(id)),
  });

  const others = (): ProfileId[] =>
    existsSync(join(rootDir, PROFILES_FOLDER))
      ? readdirSync(join(rootDir, PROFILES_FOLDER))
          .filter((name) => /^\d{1,6}$/.test(name))
          .toSorted((a, b) => Number(a) - Number(b))
      : [];

  function write(registry: z.infer<typeof Registry>): void {
    writeFileSync(`${registryFile}.new`, `${JSON.stringify(registry)}\n`, { flush: true });
    renameFile(`${registryFile}.new`, registryFile);
  }

  /** An installation that was used before this file existed counts as having chosen. */
  const initialRegistry = (): z.infer<typeof Registry> => ({
    current: FIRST,
    hasChosen: existsSync(databaseFile(rootDir)),
  });

  const read = (): z.infer<typeof Registry> =>
    existsSync(registryFile) ? Registry.parse(JSON.parse(readFileSync(registryFile, 'utf8'))) : initialRegistry();

  function prepare(): void {
    if (!existsSync(registryFile)) return write(initialRegistry());
    try {
      const registry = read();
      if (existsSync(folderOf(registry.current))) return;
      logger?.warn({ profile: registry.current }, 'profile_folder_missing');
      write({ ...registry, current: FIRST });
    } catch (error) {
      logger?.warn({ err: error }, 'profile_registry_unreadable');
      renameFile(registryFile, `${registryFile}.unreadable`);
      write(initialRegistry());
    }
  }

  return {
    prepare,
    current: () => profile(read().current),
    hasChosen: () => read().hasChosen,
    list: () => [FIRST, ...others()].map(profile),
    select: (id) => write({ current: id, hasChosen: true }),
    markChosen: () => write({ ...read(), hasChosen: true }),
    create(server) {
      const id = String(Math.max(1, ...others().map(Number)) + 1);
      mkdirSync(folderOf(id), { recursive: true, mode: 0o700 });
      writeServerChoice(folderOf(id), server);
      return profile(id);
    },
  };
}
