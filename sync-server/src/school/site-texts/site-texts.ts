/** The school's own texts of its public site, each in one language, with a draft that readers do not see. */
import type { SiteText, SiteTextChange, SiteTextName, SiteTextPlace } from '@parley/contract';
import { and, eq, inArray, isNotNull, or } from 'drizzle-orm';
import { recordAudit, shortenForAudit } from '../../account/index.ts';
import type { Database } from '../../db/client.ts';
import { siteTexts } from '../../db/school-tables.ts';
import type { AUDITED_ACTIONS } from '../../db/tables.ts';
import { DomainError } from '../../domain-error.ts';
import { LANGUAGES } from '../../localization/index.ts';
import { SETTINGS_ID } from '../settings.ts';
import { readBuiltInText } from './built-in-texts.ts';

type Row = typeof siteTexts.$inferSelect;
type Texts = Pick<Row, 'draft' | 'published'>;

interface Change {
  act: Extract<(typeof AUDITED_ACTIONS)[number], `site_text_${string}`>;
  /** Returns the texts after the change. */
  apply: (before: Texts) => Texts;
}

type Revised = SiteTextPlace & { actorId: string; revision: number };

export interface PublishedText extends SiteTextPlace {
  text: string;
}

export interface SiteTexts {
  list: () => Promise<(SiteTextPlace & { isPublished: boolean; hasDraft: boolean })[]>;
  /** Throws `request.invalid` for a language that the site does not have, as the changes do. */
  read: (place: SiteTextPlace) => Promise<SiteText>;
  save: (asked: Revised & { text: string; publishes: boolean }) => Promise<SiteTextChange>;
  takeBack: (asked: Revised & { to: 'published' | 'built_in' }) => Promise<SiteTextChange>;
  /** Those of these texts that are published, which readers may see. */
  readPublished: (names: readonly SiteTextName[]) => Promise<PublishedText[]>;
}

export function createSiteTexts({ db, now }: { db: Database; now: () => Date }): SiteTexts {
  const change = ({ actorId, name, language, revision }: Revised, { act, apply }: Change): Promise<SiteTextChange> =>
    db.transaction(async (tx) => {
      const place = { name, language };
      assertLanguage(place);
      const at = now();
      await tx
        .insert(siteTexts)
        .values({ ...place, revision: 0, updatedAt: at })
        .onConflictDoNothing();
      const [before] = await tx.select().from(siteTexts).where(isAt(place)).for('update');
      if (before === undefined) throw new Error('The row of the text was just made.');
      if (before.revision !== revision) return { status: 'conflict', text: await toView(before) };
      const after = { ...before, ...apply(before), revision: revision + 1, updatedAt: at };
      await tx.update(siteTexts).set(after).where(isAt(place));
      const shown = act === 'site_text_saved' ? 'draft' : 'published';
      await recordAudit(tx, {
        at,
        actorId,
        subject: 'settings',
        subjectId: SETTINGS_ID,
        act,
        details: { name, language, revision: after.revision },
        before: audited(place, before[shown]),
        after: audited(place, after[shown]),
      });
      return { status: 'changed', text: await toView(after) };
    });

  return {
    list: async () => {
      const rows = await db
        .select()
        .from(siteTexts)
        .where(or(isNotNull(siteTexts.draft), isNotNull(siteTexts.published)));
      return rows.map(({ name, language, draft, published }) => ({
        name,
        language,
        isPublished: published !== null,
        hasDraft: draft !== null,
      }));
    },
    read: async (place) => {
      assertLanguage(place);
      const [row] = await db.select().from(siteTexts).where(isAt(place));
      return toView(row ?? { ...place, draft: null, published: null, revision: 0 });
    },
    save: ({ text, publishes, ...asked }) =>
      change(
        asked,
        publishes
          ? { act: 'site_text_published', apply: () => ({ draft: null, published: text }) }
          : {
              act: 'site_text_saved',
              apply: ({ published }) => ({ draft: text === published ? null : text, published }),
            },
      ),
    takeBack: ({ to, ...asked }) =>
      change(
        asked,
        to === 'built_in'
          ? { act: 'site_text_taken_back', apply: () => ({ draft: null, published: null }) }
          : { act: 'site_text_saved', apply: ({ published }) => ({ draft: null, published }) },
      ),
    readPublished: async (names) => {
      const rows = await db
        .select()
        .from(siteTexts)
        .where(and(inArray(siteTexts.name, [...names]), isNotNull(siteTexts.published)));
      return rows.flatMap(({ name, language, published }) =>
        published === null ? [] : [{ name, language, text: published }],
      );
    },
  };
}

const isAt = ({ name, language }: SiteTextPlace) => and(eq(siteTexts.name, name), eq(siteTexts.language, language));

function assertLanguage({ language }: SiteTextPlace): void {
  if (!LANGUAGES.includes(language)) throw new DomainError('request.invalid', { field: 'language' });
}

/** The panel shows the text and its language based on this key. */
const audited = ({ name, language }: SiteTextPlace, text: string | null): Record<string, string | null> => ({
  [`${name}.${language}`]: text === null ? null : shortenForAudit(text),
});

const toView = async ({ name, language, draft, published, revision }: Omit<Row, 'updatedAt'>): Promise<SiteText> => ({
  name,
  language,
  builtIn: await readBuiltInText({ name, language }),
  draft,
  published,
  revision,
});
