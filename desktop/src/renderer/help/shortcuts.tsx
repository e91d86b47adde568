/** The list of keyboard shortcuts. */
import { t } from '@parley/i18n';
import type { ReactElement } from 'react';
import css from './help.module.css';

/** Macs have a key of their own for what an app does. */
const isOnMac = (): boolean => navigator.userAgent.includes('Macintosh');

export function Shortcuts(): ReactElement {
  const shortcuts: readonly (readonly [keys: string, meaning: string])[] = [
    [t('Space'), t('Start and stop recording, or interrupt the coach')],
    [t('Esc'), t('Stop recording, or close a dialog')],
    [t('Enter'), t('Send what you wrote')],
    [t('Enter / →'), t('In a review: go on to the sentence, then take the suggested grade')],
    ['1–4', t('In a review: grade the word, from Again to Easy')],
    [isOnMac() ? '⌘ K' : t('Ctrl K'), t('Go to a screen or practice')],
    [isOnMac() ? '⌘ + / −' : t('Ctrl + / −'), t('Make everything larger or smaller')],
    ['?', t('Show this list')],
  ];
  return (
    <dl className={css['shortcuts']}>
      {shortcuts.map(([keys, meaning]) => (
        <div key={keys}>
          <dt>
            <kbd>{keys}</kbd>
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}
