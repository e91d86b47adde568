/** Whether sound is being recorded in this window. It is known apart from the microphone's code, which is loaded later. */

let count = 0;

export const isRecordingSound = (): boolean => count > 0;

/** Returns how to say that this recording is over. */
export function beginRecordingSound(): () => void {
  let isOver = false;
  count += 1;
  return () => {
    if (!isOver) count -= 1;
    isOver = true;
  };
}
