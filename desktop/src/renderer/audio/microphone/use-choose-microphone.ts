/** Opens the microphone check, where another microphone can be chosen, and leads back to this screen. */
import { useNavigate } from '@tanstack/react-router';

export function useChooseMicrophone(): () => void {
  const navigate = useNavigate();
  return () => void navigate({ to: '/microphone', search: { next: location.hash.slice(1) } });
}
