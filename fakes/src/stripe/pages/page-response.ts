/** The response of a hosted page: HTML or a redirect. */
import type { StripeStore } from '../store.ts';

export type PageResponse = { status: number; page: string } | { redirect: string };

export interface PageRequest {
  store: StripeStore;
  id: string;
  /** Null for a GET request. */
  form: URLSearchParams | null;
}
