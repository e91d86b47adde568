/** Greets a learner by name. */
import type { Localizer } from '@parley/i18n';

/**
 * Anyone can request access under any name for another person's address. Only letters and name punctuation are allowed, so that the
 * greeting cannot carry a link.
 */
const NAME = /^\p{L}[\p{L}\p{M}'’ -]{0,39}$/u;

export function greeting({ t }: Localizer, firstName: string | null): string {
  const name = (firstName ?? '').replaceAll(/\s+/g, ' ').trim();
  return NAME.test(name) ? t('Hello {name},', { name }) : t('Hello,');
}
