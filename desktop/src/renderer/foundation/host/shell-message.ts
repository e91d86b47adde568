/** Messages of the window's shell, which Electron's preload or the browser shell's bridge posts to the window itself. */

export const isShellMessage = (event: MessageEvent<unknown>, type: string): boolean =>
  event.source === window && (event.data as { type?: unknown } | null)?.type === type;
