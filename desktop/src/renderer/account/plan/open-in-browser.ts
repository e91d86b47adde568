/** Opens a page in the system's browser, so that the app never handles card data. */
export const openInBrowser = (url: string): void => void window.open(url, '_blank', 'noopener,noreferrer');
