const DIRECTIVES = {
  "default-src": "'none'",
  "script-src": "'self'",
  "style-src": "'self'",
  "img-src": "'self' data:",
  "connect-src": "'self'",
  "base-uri": "'none'",
  "form-action": "'none'",
  "frame-ancestors": "'none'",
};

/**
 * The Content-Security-Policy of a page: it loads and asks what its own origin has, runs nothing inline, sends no form and
 * stands in no frame, but for the directives that are given.
 */
export const ownOriginPolicy = (directives: Readonly<Record<string, string>> = {}): string =>
  Object.entries({ ...DIRECTIVES, ...directives })
    .map(([name, sources]) => `${name} ${sources}`)
    .join("; ");
