/** Leads to the check of the microphone, where another one can be chosen, and back to this screen. */
import { useNavigate } from '@tanstack/react-router';

export function useChooseMicrophone(): () => void {
  const navigate = useNavigate();
  return () => void navigate({ to: '/microphone', search: { next: location.hash.slice(1) } });
}
