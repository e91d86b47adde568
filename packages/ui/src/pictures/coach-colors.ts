/** The colour of a coach's voice. */
import type { CSSProperties } from 'react';
import { coachVoiceName } from './portrait.ts';

/** The colours of a call with this coach: its dark ground, and the coach's voice on it. */
export const callColors = (name: string): CSSProperties & Record<'--voice' | '--call', string> => {
  const voice = coachVoiceName(name);
  return voice === null
    ? { '--voice': 'var(--night-900)', '--call': 'var(--night-50)' }
    : { '--voice': `var(--on-call-${voice})`, '--call': `var(--call-${voice})` };
};

/** Sets `--voice` to the coach's colour, which is used for their name, wave and spoken words only. */
export const coachColor = (name: string): CSSProperties & Record<'--voice', string> => {
  const voice = coachVoiceName(name);
  return { '--voice': voice === null ? 'var(--text)' : `var(--voice-${voice})` };
};
