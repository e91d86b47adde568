/** The coach's words while they come. */
import type { CoachCard } from '@parley/contract';
import { Avatar, IconButton, Quiet } from '@parley/ui';
import type { ReactElement } from 'react';
import { useSpeaker } from '../audio/index.ts';
import css from './practice.module.css';
import type { LiveCoach } from './use-live-coach.ts';

const WHAT_IT_DOES: Record<'thinking' | 'loading' | 'speaking', (name: string) => string> = {
  thinking: (name) => `${name} is thinking`,
  loading: () => 'The model is loading',
  speaking: (name) => `${name} is answering`,
};

export function LiveBubble(props: { live: LiveCoach; coach: CoachCard; showText: boolean }): ReactElement | null {
  const { live, coach, showText } = props;
  const speaker = useSpeaker();
  if (live.status === 'silent' || live.status === 'failed') return null;
  const words = live.status === 'speaking' ? live.words : '';
  return (
    <div className={css['turn']}>
      <Avatar src={coach.avatarUrl} />
      <div className={css['bubble']}>
        {words === '' || !showText ? (
          <Quiet>
            {WHAT_IT_DOES[live.status](coach.name)}
            <span className={css['dots']} aria-hidden="true">
              <span>.</span>
              <span>.</span>
              <span>.</span>
            </span>
          </Quiet>
        ) : (
          // Read out when it is whole, not word by word.
          <p aria-hidden="true">{words}</p>
        )}
        {speaker.playing !== null && (
          <div className={css['tools']}>
            <IconButton icon="stop" label="Stop" onPress={speaker.stop} />
          </div>
        )}
      </div>
    </div>
  );
}
