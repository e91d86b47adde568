import { useQuery } from '@tanstack/react-query';
import { KINDS } from '../kinds.ts';
import { client } from '../../foundation/api/client.ts';

const MAX_COACHES = 500;

/** The school's coaches, as options. */
export function useCoaches(): { value: string; label: string }[] {
  const query = useQuery({
    queryKey: ['content', 'coach', 'choices'],
    queryFn: () => client.content.list({ kind: 'coach', pageSize: MAX_COACHES }),
  });
  return (query.data?.rows ?? []).map(({ id, title }) => ({
    value: id,
    label: title === '' ? KINDS.coach.untitled : title,
  }));
}
