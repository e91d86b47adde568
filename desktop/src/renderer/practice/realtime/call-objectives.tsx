/** The objectives of a call: open beside the coach on a large screen, otherwise collapsed to a count. */
import { t } from '@parley/i18n';
import type { ObjectiveProgress } from '@parley/contract';
import { ObjectiveList } from '@parley/ui';
import { type ReactElement, useSyncExternalStore } from 'react';
import { explainObjectives } from '../../foundation/language/explanations.tsx';
import css from './call.module.css';

/** Must match the media query in call.module.css. */
const WIDE_LAYOUT = '(min-width: 900px) and (min-height: 640px)';

export function CallObjectives({ objectives }: { objectives: readonly ObjectiveProgress[] }): ReactElement {
  const isWideLayout = useSyncExternalStore(subscribeToLayout, () => matchMedia(WIDE_LAYOUT).matches);
  const reached = objectives.filter(({ provedBy }) => provedBy !== null).length;
  return (
    <details className={css['objectives']} open={isWideLayout}>
      <summary>{t('Objectives: {reached} of {count}', { reached, count: objectives.length })}</summary>
      <div className={css['list']} role="group" aria-label={t('Objectives')} aria-live="polite" tabIndex={0}>
        <ObjectiveList objectives={explainObjectives(objectives)} />
      </div>
    </details>
  );
}

function subscribeToLayout(changed: () => void): () => void {
  const mediaQuery = matchMedia(WIDE_LAYOUT);
  mediaQuery.addEventListener('change', changed);
  return () => mediaQuery.removeEventListener('change', changed);
}
