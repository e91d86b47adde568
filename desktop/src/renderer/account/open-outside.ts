/** Opens an address in the system's browser: the app never sees a card. */
export const openOutside = (url: string): void => void window.open(url, '_blank', 'noopener,noreferrer');
