/** What the coach said: to hear again, slowly, or to read. */
import type { CoachCard } from '@parley/contract';
import type { CoachTurn } from '@parley/domain';
import { Avatar, Button, IconButton } from '@parley/ui';
import { type ReactElement, useState } from 'react';
import { useSpeaker } from '../audio/index.ts';
import css from './practice.module.css';
import { Translation } from './translation.tsx';

const SLOW = 0.7;

export function CoachBubble(props: { turn: CoachTurn; coach: CoachCard; showText: boolean }): ReactElement {
  const { turn, coach } = props;
  const speaker = useSpeaker();
  const [isShown, setShown] = useState(props.showText);
  const isPlaying = speaker.playing === turn.text;
  // A line that stands in no dialogue is a live coach's.
  const speak = turn.node === null ? speaker.speakLine : speaker.speak;
  return (
    <div className={css['turn']}>
      <Avatar src={coach.avatarUrl} />
      <div className={css['bubble']}>
        {isShown ? <p>{turn.text}</p> : <p aria-hidden="true">• • •</p>}
        <div className={css['tools']}>
          <IconButton
            icon={isPlaying ? 'stop' : 'speaker'}
            label={isPlaying ? 'Stop' : `Hear ${coach.name} again`}
            onPress={() => (isPlaying ? speaker.stop() : void speak(turn.text, coach.voice))}
          />
          <IconButton
            icon="slow"
            label="Hear it slowly"
            onPress={() => void speak(turn.text, coach.voice, { rate: SLOW })}
          />
          <Button look="quiet" onPress={() => setShown(!isShown)}>
            {isShown ? 'Hide the text' : 'Show the text'}
          </Button>
          <Translation text={turn.text} />
        </div>
      </div>
    </div>
  );
}
