/** Invalidates the queries that read a table when the host reports that the table has changed, and others when a new day begins. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { subscribeToNewDay } from '../day/new-day.ts';
import { useHost } from './host-context.tsx';
import type { HostQueries } from './host-connection.ts';

type QueryGroup = Exclude<keyof HostQueries, 'key'>;

/** The query groups whose results depend on each table. */
const QUERY_GROUPS_BY_TABLE: Readonly<Record<string, readonly QueryGroup[]>> = {
  practice_history: ['practice', 'history', 'today', 'catalogue', 'courses', 'progress'],
  word_attempts: ['today', 'review', 'progress'],
  session_hints: ['practice'],
  recording_keeping: ['recordings'],
  drill_attempts: ['drill'],
  rejected_changes: ['sync'],
  device_settings: ['settings', 'coach', 'today'],
  // Most practices are played by the learner's coach.
  users: ['settings', 'today', 'coach', 'account', 'catalogue', 'courses', 'progress'],
  coach_assignment_history: ['coach'],
  enrollments: ['courses', 'today'],
  user_course_interaction: ['courses', 'today'],
  known_assignments: ['courses', 'today'],
  known_account: ['courses', 'today'],
  subscriptions: ['account', 'billing'],
  practices: ['catalogue', 'courses', 'history', 'today'],
  ai_agent_profiles: ['catalogue', 'history'],
  courses: ['courses', 'today'],
  course_sections: ['courses', 'today'],
  course_section_practices: ['courses', 'today'],
  course_section_videos: ['courses', 'today'],
  videos: ['courses', 'today'],
  objectives: ['catalogue'],
  practice_objectives: ['catalogue', 'courses'],
  industry: ['catalogue'],
  blog_posts: ['blog'],
  read_posts: ['blog'],
};

export const queryGroupsReading = (tables: readonly string[]): Set<QueryGroup> =>
  new Set(tables.flatMap((table) => QUERY_GROUPS_BY_TABLE[table] ?? []));

/** Due, published and open items depend on the day, and the host reports no change when a day begins. */
export const QUERY_GROUPS_BY_DAY: readonly QueryGroup[] = ['today', 'review', 'progress', 'blog', 'courses'];

/** These query the server, whose failure to answer may take half a minute. */
const SERVER_QUERY_GROUPS: ReadonlySet<QueryGroup> = new Set(['account', 'billing', 'coach']);

/**
 * Refetches what is on screen, and everything else when it is next shown. Waits for the host, but not for the server.
 */
export async function refresh(
  queryClient: QueryClient,
  queries: HostQueries,
  queryGroups: Iterable<QueryGroup>,
): Promise<void> {
  for (const queryGroup of queryGroups) {
    const refreshed = queryClient.invalidateQueries({ queryKey: queries[queryGroup].key() });
    if (!SERVER_QUERY_GROUPS.has(queryGroup)) await refreshed;
  }
}

/** Subscribes to the host's events and to the day for as long as the app is open. */
export function useQueryInvalidation(): void {
  const { client, queries } = useHost();
  const queryClient = useQueryClient();
  useEffect(() => {
    const abort = new AbortController();
    const invalidateOnChange = async (): Promise<void> => {
      const events = await client.app.events(undefined, { signal: abort.signal });
      for await (const event of events) {
        if (event.type === 'sync_status') {
          queryClient.setQueryData(queries.sync.status.queryKey(), event.status);
          continue;
        }
        if (event.type === 'reopening') {
          // Every screen shows the former profile, so the window reloads.
          location.hash = '#/';
          location.reload();
          return;
        }
        await refresh(queryClient, queries, queryGroupsReading(event.tables));
      }
    };
    // The frame shows its own notice when the host stops, so the end of this stream needs no handling.
    invalidateOnChange().catch(() => undefined);
    return () => abort.abort();
  }, [client, queries, queryClient]);
  useEffect(
    () => subscribeToNewDay(() => void refresh(queryClient, queries, QUERY_GROUPS_BY_DAY)),
    [queries, queryClient],
  );
}
