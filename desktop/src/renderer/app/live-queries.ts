/** Which questions to ask again when tables changed: one place, so that no screen shows yesterday. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useHost } from './host-context.tsx';
import type { HostQueries } from './connection.ts';

type Reader = Exclude<keyof HostQueries, 'key'>;

/** Parts of the contract whose answers depend on a table; null: on all of them. */
const READERS_BY_TABLE: Readonly<Record<string, readonly Reader[]>> = {
  practice_history: ['practice', 'history', 'today', 'catalogue'],
  pronunciation_improvement_summary: ['today'],
  session_hints: ['practice'],
  drill_attempts: ['drill'],
  rejected_changes: ['sync'],
  device_settings: ['settings', 'coach'],
  users: ['settings', 'today', 'coach', 'account'],
  subscriptions: ['account', 'billing'],
  practices: ['catalogue', 'history', 'today'],
  ai_agent_profiles: ['catalogue', 'history'],
  courses: ['catalogue'],
  course_sections: ['catalogue'],
  course_section_practices: ['catalogue'],
  objectives: ['catalogue'],
  practice_objectives: ['catalogue'],
  industry: ['catalogue'],
};

export const readersOf = (tables: readonly string[]): Set<Reader> =>
  new Set(tables.flatMap((table) => READERS_BY_TABLE[table] ?? []));

/** Listens to the host for as long as the app is open. */
export function useLiveQueries(): void {
  const { client, queries } = useHost();
  const queryClient = useQueryClient();
  useEffect(() => {
    const abort = new AbortController();
    const listen = async (): Promise<void> => {
      const events = await client.app.events(undefined, { signal: abort.signal });
      for await (const event of events) {
        if (event.type === 'sync_status') {
          queryClient.setQueryData(queries.sync.status.queryKey(), event.status);
          continue;
        }
        for (const reader of readersOf(event.tables)) {
          await queryClient.invalidateQueries({ queryKey: queries[reader].key() });
        }
      }
    };
    // The window's own notice tells when the host is gone; a stream that ends says nothing more.
    listen().catch(() => undefined);
    return () => abort.abort();
  }, [client, queries, queryClient]);
}
