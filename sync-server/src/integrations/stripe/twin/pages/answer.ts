/** What a page's address answers: a page, or the way to another. */
import type { World } from '../world.ts';

export type PageAnswer = { status: number; page: string } | { redirect: string };

export interface PageCall {
  world: World;
  id: string;
  /** Null where the page is only looked at. */
  form: URLSearchParams | null;
}
