/** Shows a coach on a card and, where one can be chosen, a sample of their voice. */
import { formatList, t } from '@parley/i18n';
import type { CoachCard } from '@parley/contract';
import { Button, Card, coachColor, MutedText, Portrait, Row } from '@parley/ui';
import type { ReactElement, ReactNode } from 'react';
import { useSpeaker } from '../audio/index.ts';
import { explain } from '../foundation/language/explanations.tsx';
import { ChangeNotice } from '../foundation/screen/change-notice.tsx';
import css from './catalogue.module.css';

export function CoachCardView({ coach, children }: { coach: CoachCard; children: ReactNode }): ReactElement {
  const traits = coach.characterTraits.map((trait) => explain(trait));
  return (
    <Card>
      <div className={css['coach']}>
        <Portrait name={coach.name} imageUrl={coach.avatarUrl} size={56} />
        <div>
          <h2 className={css['coachName']} style={coachColor(coach.name)}>
            {coach.name}
          </h2>
          <MutedText small>
            <span lang={traits.find(({ lang }) => lang !== undefined)?.lang}>
              {formatList(traits.map(({ text }) => text))}
            </span>
          </MutedText>
        </div>
      </div>
      {children}
    </Card>
  );
}

export interface CoachChoiceProps {
  coach: CoachCard;
  greeting: string;
  /** Replaces the button when this coach is chosen; null otherwise. */
  chosen: ReactElement | null;
  onChoose: () => void;
}

export function CoachChoice({ coach, greeting, chosen, onChoose }: CoachChoiceProps): ReactElement {
  const speaker = useSpeaker();
  return (
    <Row>
      <Button icon="speaker" variant="quiet" onPress={() => void speaker.speak(greeting, coach.voice)}>
        {t('Hear {name}', { name: coach.name })}
      </Button>
      {chosen === null ? (
        <Button onPress={onChoose}>{t('Choose {name}', { name: coach.name })}</Button>
      ) : (
        <ChangeNotice>{chosen}</ChangeNotice>
      )}
    </Row>
  );
}
