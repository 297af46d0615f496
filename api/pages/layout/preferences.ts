import type { Context, Middleware } from "koa";
import { isLanguage, type Language, languages, textsOf } from "../messages/texts.ts";
import type { Appearance } from "./document.ts";

export const PREFERENCES_PATH = "/preferences";
const LANGUAGE_COOKIE = "shelfwire-language";
const THEME_COOKIE = "shelfwire-theme";
const COOKIE_LIFETIME_S = 365 * 86_400;

/** Returns the language and theme chosen in a browser or, before a choice, the browser's own preferences. */
export function appearanceOf(context: Context, basePath: string, version: string): Appearance {
  const chosen = context.cookies.get(LANGUAGE_COOKIE);
  const asked = context.acceptsLanguages(Object.keys(languages));
  const language: Language = isLanguage(chosen) ? chosen : isLanguage(asked) ? asked : "en";
  const theme = context.cookies.get(THEME_COOKIE);
  return {
    texts: textsOf(language),
    language,
    theme: theme === "light" || theme === "dark" ? theme : undefined,
    asset: (name) => `${basePath}/assets/${version}/${name}`,
  };
}

/** Stores a choice in the browser, and returns to the page on which it was made. */
export function savePreferences(basePath: string, localPath: (text: unknown) => string): Middleware {
  return async (context) => {
    const { language, theme, next } = ((context as Context).request.body ?? {}) as Record<string, unknown>;
    if (isLanguage(language)) keep(context as Context, LANGUAGE_COOKIE, language);
    if (theme === "light" || theme === "dark" || theme === "auto") keep(context as Context, THEME_COOKIE, theme);
    context.status = 303;
    context.set("location", `${basePath}${localPath(next)}`);
    context.body = "";
  };
}

const keep = (context: Context, name: string, value: string): void =>
  context.append("set-cookie", `${name}=${value}; Path=/; Max-Age=${COOKIE_LIFETIME_S}; SameSite=Lax; HttpOnly`);
