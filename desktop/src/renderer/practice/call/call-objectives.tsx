/** What is to be reached in a call: open beside the coach where there is room, else behind its own count. */
import type { ObjectiveProgress } from '@parley/contract';
import { ObjectiveList } from '@parley/ui';
import { type ReactElement, useSyncExternalStore } from 'react';
import css from './call.module.css';

/** As in the stylesheet. */
const ROOMY = '(min-width: 900px) and (min-height: 640px)';

export function CallObjectives({ objectives }: { objectives: readonly ObjectiveProgress[] }): ReactElement {
  const isRoomy = useSyncExternalStore(watchRoom, () => matchMedia(ROOMY).matches);
  const reached = objectives.filter(({ provedBy }) => provedBy !== null).length;
  return (
    <details className={css['objectives']} open={isRoomy}>
      <summary>
        Objectives: {reached} of {objectives.length}
      </summary>
      <div className={css['list']} role="group" aria-label="Objectives" aria-live="polite" tabIndex={0}>
        <ObjectiveList objectives={objectives} />
      </div>
    </details>
  );
}

function watchRoom(changed: () => void): () => void {
  const room = matchMedia(ROOMY);
  room.addEventListener('change', changed);
  return () => room.removeEventListener('change', changed);
}
