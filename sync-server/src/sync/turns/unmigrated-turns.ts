import { sql } from 'drizzle-orm';

/** Matches a session `p` whose conversation has turns that have no row yet, because an older server stored it. */
export const HAS_UNMIGRATED_TURNS = sql`jsonb_typeof(p.entire_conversation) = 'array' and exists (
  select from jsonb_array_elements(p.entire_conversation) as turn
  where turn.value ->> 'turnId' is not null and not exists (
    select from ai_conversations as c where c.session_id = p.id and c.conversation_id::text = lower(turn.value ->> 'turnId')))`;
