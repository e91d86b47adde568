/** The objectives that one line of the script proves, next to it. */
import { t } from '@parley/i18n';
import type { ObjectiveProgress } from '@parley/contract';
import { Icon } from '@parley/ui';
import type { ReactElement } from 'react';
import { explainObjectives } from '../../foundation/language/explanations.tsx';
import css from './result.module.css';

export interface ProvedObjectivesProps {
  objectives: readonly ObjectiveProgress[];
  turnId: string;
}

export function ProvedObjectives({ objectives, turnId }: ProvedObjectivesProps): ReactElement | null {
  const proved = explainObjectives(objectives.filter(({ provedIn }) => provedIn === turnId));
  if (proved.length === 0) return null;
  return (
    <ul className={css['proved']} aria-label={t('Reached with this answer')}>
      {proved.map(({ objectiveId, description, lang }) => (
        <li key={objectiveId}>
          <Icon name="check" />
          <span lang={lang}>{description}</span>
        </li>
      ))}
    </ul>
  );
}
