/**
 * The text that is being typed into a filter. It is passed on when typing pauses, so that the server is not queried for
 * every key press.
 */
import { useEffect, useRef, useState } from 'react';

const PAUSE_MS = 250;

/** `value` is the text that currently filters the list; it follows the typed text with a delay. */
export function useTypedText(value: string, onChange: (value: string) => void): [string, (next: string) => void] {
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setText(value), [value]);
  const change = (next: string): void => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onChange(next), PAUSE_MS);
  };
  return [text, change];
}
