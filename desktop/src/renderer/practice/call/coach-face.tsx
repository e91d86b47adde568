/** The coach, large, in a ring that shows who has the word and how loud they are; the words below say the same. */
import type { CoachCard } from '@parley/contract';
import { Avatar, Icon } from '@parley/ui';
import type { ReactElement, RefObject } from 'react';
import css from './call.module.css';
import type { CallShown } from './hold-call.ts';

export type Facing = 'calling' | 'again' | 'moment' | 'muted' | 'over' | 'failed' | 'elsewhere' | CallShown['who'];

export interface CoachFaceProps {
  coach: CoachCard;
  facing: Facing;
  /** Gets `--level`, 0-1, many times a second. */
  ring: RefObject<HTMLDivElement | null>;
}

export function CoachFace({ coach, facing, ring }: CoachFaceProps): ReactElement {
  return (
    <div className={css['face']}>
      <div className={css['ring']} data-facing={facing} ref={ring}>
        <Avatar src={coach.avatarUrl} size={168} />
      </div>
      <p className={css['name']}>{coach.name}</p>
      <p className={css['state']} role="status">
        {facing === 'muted' && <Icon name="muted" />}
        {sentenceOf(facing, coach.name)}
      </p>
    </div>
  );
}

function sentenceOf(facing: Facing, name: string): string {
  switch (facing) {
    case 'calling':
      return `Calling ${name} …`;
    case 'again':
      return 'The line broke. Connecting again; what you say is kept.';
    case 'moment':
      return `${name} waits. Take your time.`;
    case 'muted':
      return 'You are muted.';
    case 'over':
      return 'The call is over.';
    case 'failed':
      return 'There is no line.';
    case 'elsewhere':
      return 'This call is open elsewhere.';
    case 'coach':
      return `${name} is speaking`;
    case 'thinking':
      return `${name} is thinking`;
    case 'learner':
      return 'Listening to you';
    case 'nobody':
      return 'Listening';
  }
}
