/** Shows a model coach's reply while it streams. */
import { t } from '@parley/i18n';
import type { CoachCard } from '@parley/contract';
import { cx, IconButton, MutedText, typographic } from '@parley/ui';
import type { ReactElement } from 'react';
import { useSpeaker } from '../../audio/index.ts';
import css from '../practice.module.css';
import ownCss from './coach-reply-bubble.module.css';
import { CoachName } from './coach-bubble.tsx';
import type { CoachReply } from './use-coach-reply.ts';

const STATUS_TEXT: Record<'thinking' | 'loading' | 'speaking', (name: string) => string> = {
  thinking: (name) => t('{name} is thinking', { name }),
  loading: () => t('The model is loading'),
  speaking: (name) => t('{name} is answering', { name }),
};

export function CoachReplyBubble(props: {
  reply: CoachReply;
  coach: CoachCard;
  showText: boolean;
}): ReactElement | null {
  const { reply, coach, showText } = props;
  const speaker = useSpeaker();
  if (reply.status === 'silent' || reply.status === 'failed') return null;
  const words = reply.status === 'speaking' ? reply.words : '';
  return (
    <div className={cx(css['turn'], css['now'])}>
      <CoachName coach={coach} hasPortrait />
      <div>
        {words === '' || !showText ? (
          // The dock announces the same to screen readers.
          <div aria-hidden="true">
            <MutedText>
              {STATUS_TEXT[reply.status](coach.name)}
              <span className={ownCss['dots']}>
                <span>.</span>
                <span>.</span>
                <span>.</span>
              </span>
            </MutedText>
          </div>
        ) : (
          // Screen readers read the complete turn instead of each streamed word.
          <p className={css['speakingLine']} lang="en" aria-hidden="true">
            {typographic(words)}
          </p>
        )}
        {speaker.playing !== null && (
          <div className={css['tools']}>
            <IconButton icon="stop" label={t('Stop')} onPress={speaker.stop} />
          </div>
        )}
      </div>
    </div>
  );
}
