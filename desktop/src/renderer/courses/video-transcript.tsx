/**
 * The transcript of a video: it follows playback, a click on a line starts the video there, and words can be added to
 * the list.
 */
import { t } from '@parley/i18n';
import { isWebVtt, parseWebVtt } from '@parley/domain';
import { cx, IconButton, typographic } from '@parley/ui';
import { type ReactElement, useEffect, useMemo, useRef, useState } from 'react';
import { PickableWords } from '../review/index.ts';
import css from './courses.module.css';
import { scrollTopFor } from './scroll-top-for.ts';

export interface VideoTranscriptProps {
  text: string;
  atS: number;
  /** Null while the video cannot be played. */
  onSeek: ((seconds: number) => void) | null;
}

interface Line {
  text: string;
  /** Null in a transcript without times. */
  time: { startS: number; endS: number } | null;
}

const linesOf = (transcript: string): Line[] =>
  isWebVtt(transcript)
    ? parseWebVtt(transcript).cues.map(({ text, ...time }) => ({ text, time }))
    : transcript.split(/\n+/).flatMap((text) => (text.trim() === '' ? [] : [{ text, time: null }]));

const isSaidAt = ({ time }: Line, atS: number): boolean => time !== null && atS >= time.startS && atS < time.endS;

export function VideoTranscript({ text, atS, onSeek }: VideoTranscriptProps): ReactElement | null {
  const lines = useMemo(() => linesOf(text), [text]);
  const [opened, setOpened] = useState<number | null>(null);
  const list = useRef<HTMLOListElement>(null);
  const current = lines.findIndex((line) => isSaidAt(line, atS));
  // While a word is selected, its line stays in place.
  const follows = opened === null;
  useEffect(() => {
    if (follows && list.current !== null) follow(list.current, current);
  }, [follows, current]);
  if (lines.length === 0) return null;
  return (
    <section className={css['aside']} aria-label={t('Transcript')}>
      <h2>{t('Transcript')}</h2>
      <ol ref={list} className={css['cues']}>
        {lines.map((line, index) => (
          // Lines never change their position.
          <li key={index}>
            <div className={css['cueLine']}>
              <LineText line={line} isNow={index === current} onSeek={onSeek} />
              <IconButton
                icon="more"
                label={t('Choose a word from “{text}”', { text: typographic(line.text) })}
                onPress={() => setOpened(opened === index ? null : index)}
              />
            </div>
            {opened === index && <PickableWords text={line.text} className={css['picked']} />}
          </li>
        ))}
      </ol>
    </section>
  );
}

function LineText(props: { line: Line; isNow: boolean; onSeek: VideoTranscriptProps['onSeek'] }): ReactElement {
  const { isNow, onSeek } = props;
  const { text, time } = props.line;
  if (time === null)
    return (
      <p className={css['plain']} lang="en">
        {typographic(text)}
      </p>
    );
  return (
    <button
      type="button"
      className={cx(css['cue'], isNow && css['now'])}
      aria-current={isNow ? 'true' : undefined}
      disabled={onSeek === null}
      lang="en"
      onClick={() => onSeek?.(time.startS)}
    >
      {typographic(text)}
    </button>
  );
}

/** Scrolls the list and not the page, so that the video stays in sight. */
function follow(list: HTMLOListElement, current: number): void {
  const line = list.children[current];
  if (!(line instanceof HTMLElement)) return;
  const top = scrollTopFor(
    { topPx: line.offsetTop - list.offsetTop, heightPx: line.offsetHeight },
    { topPx: list.scrollTop, heightPx: list.clientHeight },
  );
  if (top !== null) list.scrollTo({ top });
}
