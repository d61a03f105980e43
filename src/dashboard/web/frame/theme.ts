// Light, dark, or as the system is; the choice stays in this browser.
import { useEffect, useState } from "react";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];
const place = "trawl-theme";

export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState<Theme>(
    () => themes.find((each) => each === localStorage.getItem(place)) ?? "system",
  );
  useEffect(() => {
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    localStorage.setItem(place, theme);
  }, [theme]);
  return [theme, setTheme];
}
