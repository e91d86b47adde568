/** The panel's names and descriptions of the public site's texts. */
import { t } from '@parley/i18n';
import type { SiteTextName } from '@parley/contract';

const ON_LANDING_PAGE = t('In languages in which you haven’t written this text, readers see Parley’s.');
const ON_PAGE_OF_ITS_OWN = t(
  'Once you’ve published your text in one language, Parley’s text no longer appears. Readers of other languages see yours in English or, failing that, in the first language you wrote, with a note. {placeholder} becomes your contact address.',
  { placeholder: '{contact}' },
);

export const SITE_TEXTS: Readonly<Record<SiteTextName, { title: string; about: string }>> = {
  headline: { title: t('Headline of the home page'), about: ON_LANDING_PAGE },
  introduction: { title: t('Introduction of the home page'), about: ON_LANDING_PAGE },
  privacy: { title: t('Privacy'), about: ON_PAGE_OF_ITS_OWN },
  terms: { title: t('Terms'), about: ON_PAGE_OF_ITS_OWN },
};
