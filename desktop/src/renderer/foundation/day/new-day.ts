/** The time on a screen that stays open: it is updated every minute, and a new day is detected. */
import { useEffect, useState } from 'react';

const TICK_MS = 60_000;

/**
 * Calls back every minute, and when the window is shown again, because timers of a hidden window may be late. Returns a
 * function that stops it.
 */
function subscribeToTime(onTime: (now: Date) => void): () => void {
  const tell = (): void => onTime(new Date());
  const timer = setInterval(tell, TICK_MS);
  document.addEventListener('visibilitychange', tell);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', tell);
  };
}

/** Calls back when another day has begun in the learner's time zone. Returns a function that stops it. */
export function subscribeToNewDay(onNewDay: () => void): () => void {
  let day = new Date().toDateString();
  return subscribeToTime((now) => {
    if (now.toDateString() === day) return;
    day = now.toDateString();
    onNewDay();
  });
}

export function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => subscribeToTime(setNow), []);
  return now;
}
