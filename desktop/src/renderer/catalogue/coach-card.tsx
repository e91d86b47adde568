/** A coach on a card: who it is, and what a screen has to say of them; where one is chosen, how they sound too. */
import type { CoachCard } from '@parley/contract';
import { Avatar, Button, Card, Quiet, Row } from '@parley/ui';
import type { ReactElement, ReactNode } from 'react';
import { useSpeaker } from '../audio/index.ts';
import css from './catalogue.module.css';

export function CoachCardView({ coach, children }: { coach: CoachCard; children: ReactNode }): ReactElement {
  return (
    <Card>
      <div className={css['coach']}>
        <Avatar src={coach.avatarUrl} size={56} />
        <div>
          <h2>{coach.name}</h2>
          <Quiet small>{coach.characterTraits.join(', ')}</Quiet>
        </div>
      </div>
      {children}
    </Card>
  );
}

export interface CoachChoiceProps {
  coach: CoachCard;
  greeting: string;
  /** Stands where the choice did, once this coach is the one; null until then. */
  chosen: ReactElement | null;
  onChoose: () => void;
}

export function CoachChoice({ coach, greeting, chosen, onChoose }: CoachChoiceProps): ReactElement {
  const speaker = useSpeaker();
  return (
    <Row>
      <Button icon="speaker" look="quiet" onPress={() => void speaker.speak(greeting, coach.voice)}>
        Hear {coach.name}
      </Button>
      {chosen ?? <Button onPress={onChoose}>Choose {coach.name}</Button>}
    </Row>
  );
}
