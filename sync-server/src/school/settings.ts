/** The school's own settings, in one row that exists once an admin has saved them. */
import { RETENTION_MONTHS, type SchoolSettings, type SchoolSettingsChange } from '@parley/contract';
import { isKnownTimeZone } from '@parley/domain';
import { recordAudit } from '../account/index.ts';
import { DomainError } from '../domain-error.ts';
import type { Database } from '../db/client.ts';
import { schoolSettings } from '../db/school-tables.ts';

/** The id of the settings as the subject of an audit log entry. */
export const SETTINGS_ID = '00000000-0000-0000-0000-000000000000';
export const SETTINGS_ROW_ID = 1;

export const DEFAULT_SETTINGS: SchoolSettings = {
  name: 'Parley',
  contactEmail: null,
  colour: null,
  timeZone: 'UTC',
  requiresSecondFactor: false,
  auditMonths: null,
  mailMonths: null,
};

export async function readSchoolSettings(db: Database): Promise<SchoolSettings> {
  const [row] = await db.select().from(schoolSettings);
  if (row === undefined) return DEFAULT_SETTINGS;
  const { name, contactEmail, colour, timeZone, requiresSecondFactor, auditMonths, mailMonths } = row;
  const [audit, mail] = [auditMonths, mailMonths].map((months) => RETENTION_MONTHS.find((each) => each === months));
  return {
    name,
    contactEmail,
    colour,
    timeZone,
    requiresSecondFactor,
    auditMonths: audit ?? null,
    mailMonths: mail ?? null,
  };
}

/** Throws `request.invalid` for an unknown time zone. */
export async function saveSchoolSettings(
  db: Database,
  { actorId, change, at }: { actorId: string; change: SchoolSettingsChange; at: Date },
): Promise<void> {
  if (change.timeZone !== undefined && !isKnownTimeZone(change.timeZone))
    throw new DomainError('request.invalid', { field: 'timeZone' });
  await db.transaction(async (tx) => {
    const before = await readSchoolSettings(tx);
    const isChanged = (key: keyof SchoolSettings): boolean => change[key] !== undefined && before[key] !== change[key];
    const changed = (Object.keys(change) as (keyof SchoolSettings)[]).filter(isChanged);
    if (changed.length === 0) return;
    const pick = (from: SchoolSettingsChange) =>
      Object.fromEntries(changed.map((key) => [key, from[key]])) as Partial<SchoolSettings>;
    const after = pick(change);
    await tx
      .insert(schoolSettings)
      .values({ id: SETTINGS_ROW_ID, ...before, ...after, updatedAt: at })
      .onConflictDoUpdate({ target: schoolSettings.id, set: { ...after, updatedAt: at } });
    await recordAudit(tx, {
      at,
      actorId,
      subject: 'settings',
      subjectId: SETTINGS_ID,
      act: 'settings_changed',
      before: pick(before),
      after,
    });
  });
}
