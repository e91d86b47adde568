/** Recognises loopback host names, whose traffic never leaves the machine. */

/** `hostname` has the format of `URL.hostname`: lower case, dotted IPv4, IPv6 in brackets. */
export const isLoopbackName = (hostname: string): boolean =>
  hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127\.[\d.]+$/.test(hostname);
