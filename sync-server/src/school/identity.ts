/** A school's identity and its logo: a verified PNG, under an address that changes with its content. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { MAX_LOGO_BYTES, MAX_LOGO_SIZE } from '@parley/contract';
import { type SchoolIdentity, type SchoolLogo, UNNAMED_SCHOOL } from '@parley/domain';
import { recordAudit } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { schoolSettings } from '../db/school-tables.ts';
import { DomainError } from '../domain-error.ts';
import { readPicture } from '../media/index.ts';
import type { FileStorage } from '../ports/storage/file-storage.ts';
import { DEFAULT_SETTINGS, SETTINGS_ID, SETTINGS_ROW_ID } from './settings.ts';

export const LOGO_PATH = '/site/logo';
const logoKey = (sha256: string): string => `school/logo-${sha256}.png`;

interface LogoPicture {
  bytes: Buffer;
  sha256: string;
  width: number;
  height: number;
}

export async function readSchoolIdentity(db: Database): Promise<SchoolIdentity> {
  const [row] = await db.select().from(schoolSettings);
  if (row === undefined) return UNNAMED_SCHOOL;
  const { name, contactEmail, colour, logoSha256: sha256, logoWidth: width, logoHeight: height } = row;
  const hasLogo = sha256 !== null && width !== null && height !== null;
  return { name, contactEmail, colour, logo: hasLogo ? toLogo({ sha256, width, height }) : null };
}

/**
 * For pages: while the database fails, the school is shown as it last was, so that pages about the failure can be shown
 * at all.
 */
export const createIdentityReader = (
  db: Database,
  onFailure: (error: unknown) => void,
): (() => Promise<SchoolIdentity>) => keepLastRead(() => readSchoolIdentity(db), UNNAMED_SCHOOL, onFailure);

/** Returns what was last read when reading fails. */
export function keepLastRead<Value>(
  read: () => Promise<Value>,
  initial: Value,
  onFailure: (error: unknown) => void,
): () => Promise<Value> {
  let last = initial;
  return async () => {
    try {
      last = await read();
    } catch (error) {
      onFailure(error);
    }
    return last;
  };
}

const toLogo = ({ sha256, width, height }: Omit<LogoPicture, 'bytes'>): SchoolLogo => ({
  path: `${LOGO_PATH}/${sha256}.png`,
  width,
  height,
});

/** Null removes the logo. Throws `request.invalid` for data that is not a PNG, or that is larger than pages can use. */
export async function saveLogo(
  { db, storage }: { db: Database; storage: FileStorage },
  { actorId, picture, at }: { actorId: string; picture: string | null; at: Date },
): Promise<SchoolLogo | null> {
  const logo = picture === null ? null : await readLogo(picture);
  if (logo !== null)
    await storage.put(logoKey(logo.sha256), Readable.from([logo.bytes]), {
      bytes: logo.bytes.byteLength,
      mediaType: 'image/png',
    });
  const columns = {
    logoSha256: logo?.sha256 ?? null,
    logoWidth: logo?.width ?? null,
    logoHeight: logo?.height ?? null,
    updatedAt: at,
  };
  await db.transaction(async (tx) => {
    const { logo: before } = await readSchoolIdentity(tx);
    await tx
      .insert(schoolSettings)
      .values({ id: SETTINGS_ROW_ID, ...DEFAULT_SETTINGS, ...columns })
      .onConflictDoUpdate({ target: schoolSettings.id, set: columns });
    const after = logo === null ? null : toLogo(logo);
    if (before?.path === after?.path) return;
    await recordAudit(tx, {
      at,
      actorId,
      subject: 'settings',
      subjectId: SETTINGS_ID,
      act: 'settings_changed',
      before: { logo: before?.path ?? null },
      after: { logo: after?.path ?? null },
    });
  });
  return logo === null ? null : toLogo(logo);
}

async function readLogo(address: string): Promise<LogoPicture> {
  const bytes = Buffer.from(/^data:image\/png;base64,([A-Za-z0-9+/]+=*)$/.exec(address)?.[1] ?? '', 'base64');
  const refused = new DomainError('request.invalid', { field: 'picture' });
  const picture = bytes.byteLength > MAX_LOGO_BYTES ? null : await readPicture(bytes);
  if (picture?.mediaType !== 'image/png') throw refused;
  const { width, height } = picture;
  if (width > MAX_LOGO_SIZE.width || height > MAX_LOGO_SIZE.height) throw refused;
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex'), width, height };
}

/** A former logo is kept, because cached pages still show it. Null when there never was such a logo. */
export const openLogo = (storage: FileStorage, sha256: string): Promise<Readable | null> =>
  storage.get(logoKey(sha256));
