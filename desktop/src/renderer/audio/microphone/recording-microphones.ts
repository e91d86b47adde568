/** Whether this window is recording. It is separate from the microphone's code, which is loaded later. */

let count = 0;

export const isRecordingSound = (): boolean => count > 0;

/** Returns a function that marks this recording as over. */
export function beginRecordingSound(): () => void {
  let isOver = false;
  count += 1;
  return () => {
    if (!isOver) count -= 1;
    isOver = true;
  };
}
