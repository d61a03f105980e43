// Which URLs are audio and which are video: files by their ending, players by their host.

export type MediaKind = "audio" | "video";

const files: Record<MediaKind, Readonly<Record<string, string>>> = {
  video: {
    mp4: "video/mp4",
    m4v: "video/x-m4v",
    webm: "video/webm",
    ogv: "video/ogg",
    mov: "video/quicktime",
    mkv: "video/x-matroska",
    avi: "video/x-msvideo",
    m3u8: "application/vnd.apple.mpegurl",
    mpd: "application/dash+xml",
  },
  audio: {
    mp3: "audio/mpeg",
    m4a: "audio/mp4",
    aac: "audio/aac",
    ogg: "audio/ogg",
    oga: "audio/ogg",
    opus: "audio/opus",
    wav: "audio/wav",
    flac: "audio/flac",
  },
};

const kinds = ["video", "audio"] as const;

function endingOf(url: string): string {
  return /^https?:\/\/[^/?#]+\/[^?#]*\.([a-z0-9]{2,4})(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase() ?? "";
}

export function kindOfFile(url: string): MediaKind | null {
  const ending = endingOf(url);
  return kinds.find((kind) => Object.hasOwn(files[kind], ending)) ?? null;
}

/** The media type that the ending of a URL implies. */
export function typeOfFile(url: string): string | undefined {
  const kind = kindOfFile(url);
  return kind ? files[kind][endingOf(url)] : undefined;
}

/** A player's URL after its scheme. */
const players: Record<MediaKind, RegExp> = {
  video:
    /^(?:(?:www\.)?youtube(?:-nocookie)?\.com\/(?:embed|live_embed)\/|player\.vimeo\.com\/video\/|(?:www|geo)\.dailymotion\.com\/(?:embed|player)|player\.twitch\.tv\/|clips\.twitch\.tv\/embed|www\.facebook\.com\/plugins\/video|www\.tiktok\.com\/(?:embed|player)|fast\.wistia\.(?:net|com)\/embed|www\.loom\.com\/embed|rumble\.com\/embed|streamable\.com\/[eo]\/|players\.brightcove\.net\/|embed\.ted\.com\/|cdn\.jwplayer\.com\/players\/|play\.vidyard\.com\/|player\.bilibili\.com\/|ok\.ru\/videoembed|vk\.com\/video_ext|rutube\.ru\/play\/embed|[^/]+\/videos\/embed\/)/i,
  audio:
    /^(?:w\.soundcloud\.com\/player|open\.spotify\.com\/embed|embed\.podcasts\.apple\.com\/|embed\.music\.apple\.com\/|bandcamp\.com\/EmbeddedPlayer|anchor\.fm\/[^?]*\/?embed|podcasters\.spotify\.com\/[^?]*\/embed|player\.simplecast\.com\/|embed\.acast\.com\/|player\.megaphone\.fm\/|www\.buzzsprout\.com\/|www\.mixcloud\.com\/widget|player\.captivate\.fm\/|share\.transistor\.fm\/e\/|widget\.deezer\.com\/|html5-player\.libsyn\.com\/|play\.libsyn\.com\/embed)/i,
};

/** What a frame with this URL plays; null when it is no known player. */
export function playerOf(url: string): MediaKind | null {
  const rest = url.replace(/^https?:\/\//i, "");
  return kinds.find((kind) => players[kind].test(rest)) ?? null;
}
