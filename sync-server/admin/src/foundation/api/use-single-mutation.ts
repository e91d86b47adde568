import { useMutation, type UseMutationOptions, type UseMutationResult } from '@tanstack/react-query';
import { useRef } from 'react';

/**
 * A mutation that cannot be started again while it runs: the second half of a double click arrives before the button is
 * disabled.
 */
export function useSingleMutation<Data>(options: UseMutationOptions<Data>): UseMutationResult<Data, Error, void> {
  const mutation = useMutation(options);
  const isRunning = useRef(false);
  const mutate = (): void => {
    if (isRunning.current) return;
    isRunning.current = true;
    mutation.mutate(undefined, {
      onSettled: () => {
        isRunning.current = false;
      },
    });
  };
  return { ...mutation, mutate };
}
