/** Restores the window's last position if that is still on a screen. */
import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

const Box = z.object({ x: z.int(), y: z.int(), width: z.int().positive(), height: z.int().positive() });
const WindowState = z.object({ bounds: Box, isMaximized: z.boolean() });

export type Box = z.infer<typeof Box>;
export type WindowState = z.infer<typeof WindowState>;

/** Without x and y the system centres the window. */
export interface Placement {
  x?: number;
  y?: number;
  width: number;
  height: number;
  isMaximized: boolean;
}

export const MIN_SIZE = { width: 480, height: 560 } as const;
const FIRST_SIZE = { width: 1280, height: 840 } as const;
/** This much of the title bar must be reachable with a pointer. */
const MIN_REACHABLE = { width: 120, height: 40 } as const;

/** `workAreas` are the screens without their bars, the primary one first. */
export function restoreBounds(saved: WindowState | null, workAreas: readonly Box[]): Placement {
  const bounds = saved?.bounds;
  const screen = bounds === undefined ? undefined : workAreas.find((area) => isReachable(bounds, area));
  const { width, height } = bounds ?? FIRST_SIZE;
  const room = screen ?? workAreas[0] ?? { width, height };
  const size = {
    width: Math.max(MIN_SIZE.width, Math.min(width, room.width)),
    height: Math.max(MIN_SIZE.height, Math.min(height, room.height)),
  };
  const place = screen === undefined || bounds === undefined ? {} : { x: bounds.x, y: bounds.y };
  return { ...place, ...size, isMaximized: saved?.isMaximized ?? false };
}

function isReachable(bounds: Box, area: Box): boolean {
  const visibleWidth = Math.min(bounds.x + bounds.width, area.x + area.width) - Math.max(bounds.x, area.x);
  const titleBarIsInside = bounds.y >= area.y && bounds.y + MIN_REACHABLE.height <= area.y + area.height;
  return visibleWidth >= MIN_REACHABLE.width && titleBarIsInside;
}

/** Returns null when the state is missing or unreadable, because a window must open in any case. */
export function readWindowState(file: string): WindowState | null {
  try {
    return WindowState.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data ?? null;
  } catch {
    return null;
  }
}

/** Ignores errors, because a full disk must not keep the window from closing. */
export function saveWindowState(file: string, state: WindowState): void {
  try {
    writeFileSync(file, JSON.stringify(state));
  } catch {
    // The next window opens in the centre.
  }
}
