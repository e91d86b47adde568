/**
 * The school's own texts of its public site: drafted, published and withdrawn, each in the language in which it is
 * written.
 */
import { z } from 'zod';
import { isStorableText } from '../../storable.ts';
import { adminBase } from '../base.ts';

/** The first two appear at the top of the landing page; the others are pages in Markdown. */
export const SITE_TEXT_NAMES = ['headline', 'introduction', 'privacy', 'terms'] as const;
export type SiteTextName = (typeof SITE_TEXT_NAMES)[number];

/** The maximum length in characters. */
export const MAX_SITE_TEXT_LENGTHS = {
  headline: 120,
  introduction: 400,
  privacy: 60_000,
  terms: 60_000,
} as const satisfies Record<SiteTextName, number>;

const Place = z.strictObject({ name: z.enum(SITE_TEXT_NAMES), language: z.string().min(2).max(20) });
export type SiteTextPlace = z.infer<typeof Place>;

const SiteText = Place.extend({
  /** Parley's text, which is shown until the school publishes one of its own. */
  builtIn: z.string(),
  /** Null if nothing is waiting to be published. */
  draft: z.string().nullable(),
  /** Null if readers see another text. */
  published: z.string().nullable(),
  /** Counts the changes, so that two admins do not overwrite each other's work. */
  revision: z.number().int().nonnegative(),
});
export type SiteText = z.infer<typeof SiteText>;

/** In a conflict, another admin was faster: nothing was changed, and `text` is the text that they saved. */
const SiteTextChange = z.strictObject({ status: z.enum(['changed', 'conflict']), text: SiteText });
export type SiteTextChange = z.infer<typeof SiteTextChange>;

const Revised = Place.extend({ revision: z.number().int().nonnegative() });

const SaveSiteText = Revised.extend({
  text: z
    .string()
    .trim()
    .min(1)
    .max(Math.max(...Object.values(MAX_SITE_TEXT_LENGTHS)))
    .refine(isStorableText),
  /** Whether readers see it at once. */
  publishes: z.boolean(),
}).refine(({ name, text }) => text.length <= MAX_SITE_TEXT_LENGTHS[name], { path: ['text'] });

const TakeBackSiteText = Revised.extend({
  /** `published` discards the draft; `built_in` also withdraws the published text. */
  to: z.enum(['published', 'built_in']),
});

export const siteTextsContract = {
  siteTexts: adminBase
    .route({
      method: 'POST',
      path: '/v1/admin/site-texts',
      summary: "Which of the site's texts the school has written",
    })
    .input(z.strictObject({}))
    .output(
      z.strictObject({
        texts: z.array(Place.extend({ isPublished: z.boolean(), hasDraft: z.boolean() })),
      }),
    ),
  siteText: adminBase
    .route({ method: 'POST', path: '/v1/admin/site-text', summary: 'A text of the site in one language' })
    .input(Place)
    .output(SiteText),
  saveSiteText: adminBase
    .route({
      method: 'POST',
      path: '/v1/admin/save-site-text',
      summary: 'Save a text of the site as a draft, or publish it',
    })
    .input(SaveSiteText)
    .output(SiteTextChange),
  takeBackSiteText: adminBase
    .route({
      method: 'POST',
      path: '/v1/admin/take-back-site-text',
      summary: "Discard a draft, or show Parley's text again",
    })
    .input(TakeBackSiteText)
    .output(SiteTextChange),
};
