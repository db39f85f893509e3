//! The sentences that Rust says to the player, in both languages.
//!
//! What a screen says of its own is in the `.slint` files and their
//! translations; what a game says comes from the game.

use crate::art::Theme;
use crate::plugins::Lang;
use crate::store::{Damage, IoCause, Notice, StoreError};

/// Chooses the language of a text.
pub fn pick<T>(lang: Lang, zh: T, en: T) -> T {
    match lang {
        Lang::Zh => zh,
        Lang::En => en,
    }
}

/// The language of the system; English where it is neither of ours.
pub fn system_lang() -> Lang {
    lang_of_tag(sys_locale::get_locale().as_deref().unwrap_or_default())
}

fn lang_of_tag(tag: &str) -> Lang {
    if tag
        .get(..2)
        .is_some_and(|start| start.eq_ignore_ascii_case("zh"))
    {
        Lang::Zh
    } else {
        Lang::En
    }
}

/// An empty cell, for a screen reader.
pub fn empty(lang: Lang) -> &'static str {
    pick(lang, "空", "empty")
}

/// A piece that lies face down, for a screen reader.
pub fn face_down(lang: Lang) -> &'static str {
    pick(lang, "背面朝上", "face down")
}

/// The last move, for a screen reader.
pub fn last_move(lang: Lang) -> &'static str {
    pick(lang, "上一手", "last move")
}

/// A legal target, for a screen reader.
pub fn target(lang: Lang) -> &'static str {
    pick(lang, "可走", "can move here")
}

/// The selected piece, for a screen reader.
pub fn selected(lang: Lang) -> &'static str {
    pick(lang, "已选中", "selected")
}

/// The person at the device.
pub fn you(lang: Lang) -> String {
    pick(lang, "您", "You").to_owned()
}

/// One of several people at the device.
pub fn person(lang: Lang) -> String {
    pick(lang, "玩家", "Player").to_owned()
}

/// The computer with its level's name.
pub fn computer(lang: Lang, level: &str) -> String {
    pick(
        lang,
        format!("电脑 · {level}"),
        format!("Computer · {level}"),
    )
}

/// Pieces taken.
pub fn captures(lang: Lang, count: i32) -> String {
    pick(lang, format!("提 {count}"), format!("{count} taken"))
}

/// A count of half points as people write it: "7.5".
pub fn halves(halves: i32) -> String {
    let sign = if halves < 0 { "-" } else { "" };
    let (whole, half) = (halves.unsigned_abs() / 2, halves.unsigned_abs() % 2);
    format!("{sign}{whole}{}", if half == 1 { ".5" } else { "" })
}

/// A score in half points.
pub fn score(lang: Lang, half_points: i32) -> String {
    let number = halves(half_points);
    let plural = if half_points == 2 { "" } else { "s" };
    pick(
        lang,
        format!("{number} 分"),
        format!("{number} point{plural}"),
    )
}

/// The winner is the only person.
pub fn you_win(lang: Lang) -> String {
    pick(lang, "您赢了", "You win").to_owned()
}

/// The winner is the computer.
pub fn you_lose(lang: Lang) -> String {
    pick(lang, "电脑赢了", "The computer wins").to_owned()
}

/// A side has won.
pub fn wins(lang: Lang, side: &str) -> String {
    pick(lang, format!("{side}胜"), format!("{side} wins"))
}

/// Nobody has won.
pub fn draw(lang: Lang) -> String {
    pick(lang, "和棋", "A draw").to_owned()
}

/// A solo level was passed.
pub fn passed(lang: Lang) -> String {
    pick(lang, "过关", "Passed").to_owned()
}

/// A solo level was lost.
pub fn failed(lang: Lang) -> String {
    pick(lang, "未过关", "Not this time").to_owned()
}

/// How far a saved game is.
pub fn running_line(lang: Lang, moves: usize) -> String {
    let plural = if moves == 1 { "" } else { "s" };
    pick(
        lang,
        format!("已下 {moves} 手"),
        format!("{moves} move{plural} played"),
    )
}

/// The line that the hint expects.
pub fn hint_line(lang: Lang, line: &str, win_permille: i32) -> String {
    let percent = win_permille.clamp(0, 1000) / 10;
    pick(
        lang,
        format!("建议：{line}（胜率 {percent}%）"),
        format!("Expected: {line} ({percent} % to win)"),
    )
}

/// Whose point a marked cell is, for a screen reader.
pub fn point_of(lang: Lang, side: &str) -> String {
    pick(lang, format!("属{side}"), format!("point of {side}"))
}

/// The chance of a move in an analysis, for a screen reader.
pub fn chance(lang: Lang, permille: i32, is_best: bool) -> String {
    let percent = (permille.clamp(0, 1000) + 5) / 10;
    match is_best {
        true => pick(
            lang,
            format!("胜率 {percent}%，最佳"),
            format!("{percent} % to win, best"),
        ),
        false => pick(
            lang,
            format!("胜率 {percent}%"),
            format!("{percent} % to win"),
        ),
    }
}

/// What an analysis has found so far: the best line, its chance, and how much was looked at.
pub fn analysis_line(lang: Lang, line: &str, win_permille: i32, nodes: u64) -> String {
    let percent = win_permille.clamp(0, 1000) / 10;
    pick(
        lang,
        format!("分析：{line}（胜率 {percent}%，已算 {nodes}）"),
        format!("Analysis: {line} ({percent} % to win, {nodes} looked at)"),
    )
}

/// The overlay that shows what the computer thinks of the moves.
pub fn analysis(lang: Lang) -> String {
    pick(lang, "计算机的分析", "The computer's analysis").to_owned()
}

/// The options are those of no preset.
pub fn custom(lang: Lang) -> String {
    pick(lang, "自定", "Custom").to_owned()
}

/// A file or folder that cannot be read.
pub fn cannot_read(lang: Lang, path: &std::path::Path, why: &str) -> String {
    let path = path.display();
    pick(
        lang,
        format!("无法读取 {path}：{why}"),
        format!("{path} cannot be read: {why}"),
    )
}

/// A file that cannot be written.
pub fn cannot_write(lang: Lang, path: &std::path::Path, why: &str) -> String {
    let path = path.display();
    pick(
        lang,
        format!("无法写入 {path}：{why}"),
        format!("{path} cannot be written: {why}"),
    )
}

/// A file that is too large, or none.
pub fn no_record_file(lang: Lang, most_mb: u64) -> String {
    pick(
        lang,
        format!("不是普通文件，或大于 {most_mb} MB"),
        format!("it is no ordinary file, or larger than {most_mb} MB"),
    )
}

/// No game reads files of that kind.
pub fn no_game_reads(lang: Lang) -> String {
    pick(
        lang,
        "没有游戏能读这种文件",
        "no game reads files of this kind",
    )
    .to_owned()
}

/// A record was opened as far as it could be read.
pub fn record_remark(lang: Lang, path: &std::path::Path, remark: &str) -> String {
    let path = path.display();
    pick(
        lang,
        format!("已尽量打开 {path}：{remark}"),
        format!("{path} was opened as far as it can be: {remark}"),
    )
}

/// A record was saved.
pub fn record_saved(lang: Lang, path: &std::path::Path) -> String {
    let path = path.display();
    pick(lang, format!("已保存到 {path}"), format!("Saved as {path}"))
}

/// The game writes no files.
pub fn no_record_format(lang: Lang) -> String {
    pick(
        lang,
        "此游戏不能导出棋谱文件",
        "This game has no format for files",
    )
    .to_owned()
}

/// A file name that is none.
pub fn no_file_name(lang: Lang) -> String {
    pick(
        lang,
        "请输入文件名，不含文件夹",
        "Give a file name without a folder",
    )
    .to_owned()
}

/// Size of a file.
pub fn kilobytes(_: Lang, bytes: u64) -> String {
    format!("{} kB", bytes.div_ceil(1_000))
}

/// The folder of documents.
pub fn documents(lang: Lang) -> String {
    pick(lang, "文档", "Documents").to_owned()
}

/// The folder of downloads.
pub fn downloads(lang: Lang) -> String {
    pick(lang, "下载", "Downloads").to_owned()
}

/// The person's own folder.
pub fn home_folder(lang: Lang) -> String {
    pick(lang, "主文件夹", "Home folder").to_owned()
}

/// The app's data folder.
pub fn data_folder(lang: Lang) -> String {
    pick(lang, "应用数据", "App data").to_owned()
}

/// A piece that is taken to be dead.
pub fn dead(lang: Lang) -> &'static str {
    pick(lang, "死子", "dead")
}

/// The computer is asked for a hint.
pub fn looking_for_hint(lang: Lang) -> String {
    pick(lang, "正在寻找好棋…", "Looking for a good move …").to_owned()
}

/// The computer gave no move.
pub fn no_hint(lang: Lang) -> String {
    pick(lang, "没有可以建议的着法", "There is no move to suggest").to_owned()
}

/// It is the computer's turn.
pub fn wait_for_computer(lang: Lang) -> String {
    pick(lang, "请等电脑走棋", "The computer is thinking").to_owned()
}

/// A move that the game refuses without a reason.
pub fn not_legal(lang: Lang) -> String {
    pick(lang, "这里不能走", "That is not a legal move").to_owned()
}

/// The opponent failed.
pub fn opponent_failed(lang: Lang, cause: &str) -> String {
    pick(
        lang,
        format!("电脑出错：{cause}。您可以悔棋或新开一局。"),
        format!("The computer failed: {cause}. You can undo or begin a new game."),
    )
}

/// The game itself failed; the record is safe.
pub fn game_failed(lang: Lang, cause: &str) -> String {
    pick(
        lang,
        format!("棋局插件出错：{cause}。棋谱已保存。"),
        format!("The game failed: {cause}. The record is saved."),
    )
}

/// A saved game cannot be opened; its file stays where it is.
pub fn save_unusable(lang: Lang, name: &str, cause: &str) -> String {
    pick(
        lang,
        format!("无法打开“{name}”的存档：{cause}"),
        format!("The saved game of {name} cannot be opened: {cause}"),
    )
}

/// A new game is played beside a save that must not be overwritten.
pub fn not_kept(lang: Lang, name: &str, cause: &str) -> String {
    pick(
        lang,
        format!("这局“{name}”不会保存：{cause}"),
        format!("This game of {name} is not kept: {cause}"),
    )
}

/// A saved game names an opponent that the game no longer has.
pub fn seats_changed(lang: Lang, name: &str) -> String {
    pick(
        lang,
        format!("“{name}”的存档中的电脑等级不存在，已改用最接近的一级。"),
        format!(
            "The saved game of {name} names a level that does not exist; the nearest one plays."
        ),
    )
}

/// A plugin that ships with the app is broken.
pub fn plugin_trouble(lang: Lang, cause: &str) -> String {
    pick(lang, format!("插件 {cause}"), format!("Plugin {cause}"))
}

/// State of a file in the Plugins screen: loaded.
pub fn plugin_loaded(lang: Lang, names: &str) -> String {
    pick(lang, format!("已载入：{names}"), format!("Loaded: {names}"))
}

/// State of a file in the Plugins screen: not agreed to yet.
pub fn plugin_new(lang: Lang) -> String {
    pick(
        lang,
        "新文件。插件是本机代码，只载入您信任的文件。",
        "New. A plugin is native code: load only what you trust.",
    )
    .to_owned()
}

/// State of a file in the Plugins screen: another content than the one agreed to.
pub fn plugin_changed(lang: Lang) -> String {
    pick(
        lang,
        "文件内容已改变，请重新确认是否信任。",
        "The file has changed since you agreed to it. Agree again only if you trust it.",
    )
    .to_owned()
}

/// A line with the SHA-256 that the player agrees to.
pub fn with_hash(line: &str, hash: &str) -> String {
    format!("{line} SHA-256 {hash}")
}

/// State of a file in the Plugins screen: its game is there already.
pub fn plugin_shadowed(lang: Lang, id: &str, by: &str) -> String {
    pick(
        lang,
        format!("“{id}”已由 {by} 提供，此文件未使用。"),
        format!("\"{id}\" already comes from {by}; this file is not used."),
    )
}

/// Name of a board theme.
pub fn theme(lang: Lang, theme: Theme) -> &'static str {
    match theme {
        Theme::Kaya => pick(lang, "榧木", "Kaya"),
        Theme::Walnut => pick(lang, "胡桃木", "Walnut"),
        Theme::Paper => pick(lang, "纸墨", "Paper"),
        Theme::Slate => pick(lang, "石板", "Slate"),
    }
}

/// What the store has to say.
pub fn notice(lang: Lang, notice: &Notice) -> String {
    if lang == Lang::En {
        return notice.to_string();
    }
    match notice {
        Notice::Broken {
            path,
            damage,
            aside: Some(aside),
        } => {
            format!(
                "{} 无法使用（{}），已保留为 {}",
                path.display(),
                damage_zh(damage),
                aside.display()
            )
        }
        Notice::Broken {
            path,
            damage,
            aside: None,
        } => {
            format!(
                "{} 无法使用（{}），文件留在原处",
                path.display(),
                damage_zh(damage)
            )
        }
        Notice::BackupUsed { path, backup } => {
            format!(
                "已改用 {} 的上一个版本：{}",
                path.display(),
                backup.display()
            )
        }
        Notice::Unreadable { path, cause } => {
            format!("{} 暂时无法读取：{}", path.display(), cause_zh(cause))
        }
        Notice::Newer { path, found, known } => format!(
            "{} 由更新的版本写成（格式 {found}，本版本只认识到 {known}），不会被改动",
            path.display()
        ),
        Notice::BadValue { path, key, value } => {
            format!("{}：{key} = {value} 无法使用，已改用默认值", path.display())
        }
        Notice::SetAside { path, aside } => {
            format!("{} 已保留为 {}", path.display(), aside.display())
        }
        Notice::WriteFailed { path, error } => {
            format!(
                "{}；{} 的内容会在下次写入时重试",
                store_error(lang, error),
                path.display()
            )
        }
        Notice::WriteRecovered { path } => format!("{} 已恢复写入", path.display()),
        Notice::AnotherCopyRuns { data_dir } => {
            format!(
                "另一个棋局程序正在使用 {}，在此所做的一切不会保存",
                data_dir.display()
            )
        }
        Notice::LockUnavailable { path, cause } => {
            format!(
                "无法锁定 {}（{}），请勿同时运行两个程序",
                path.display(),
                cause_zh(cause)
            )
        }
    }
}

/// Why the store did not do something.
pub fn store_error(lang: Lang, error: &StoreError) -> String {
    if lang == Lang::En {
        return error.to_string();
    }
    match error {
        StoreError::NoHome => "找不到存放数据的文件夹，请用 --data-dir 指定".to_owned(),
        StoreError::BadId { id } => format!("“{}”不是有效的棋类标识", id.escape_debug()),
        StoreError::BadHash { hash } => format!("“{}”不是 SHA-256", hash.escape_debug()),
        StoreError::Read { path, cause } => {
            format!("无法读取 {}：{}", path.display(), cause_zh(cause))
        }
        StoreError::Write { path, cause } => {
            format!("无法写入 {}：{}", path.display(), cause_zh(cause))
        }
        StoreError::Newer { path, found, known } => {
            format!(
                "{} 由更新的版本写成（格式 {found}，本版本只认识到 {known}）",
                path.display()
            )
        }
        StoreError::BadText { path, damage } => {
            format!("未写入 {}：{}", path.display(), damage_zh(damage))
        }
        StoreError::Encode { path, message } => format!("未写入 {}：{message}", path.display()),
        StoreError::AnotherCopyRuns { data_dir } => {
            format!("未写入：另一个棋局程序正在使用 {}", data_dir.display())
        }
        StoreError::NoThread(cause) => format!("无法启动写入线程：{}", cause_zh(cause)),
        StoreError::Defect { path } => format!("未写入 {}：写入线程内部出错", path.display()),
    }
}

fn cause_zh(cause: &IoCause) -> String {
    match cause {
        IoCause::DiskFull => "磁盘已满".to_owned(),
        IoCause::Denied => "没有访问权限".to_owned(),
        IoCause::Other(text) => text.clone(),
    }
}

fn damage_zh(damage: &Damage) -> String {
    match damage {
        Damage::Empty => "文件为空".to_owned(),
        Damage::TooLarge { limit } => format!("文件大于 {limit} 字节"),
        Damage::NotAFile => "不是普通文件".to_owned(),
        Damage::Denied => "没有读取权限".to_owned(),
        Damage::NotUtf8 { line, column } => format!("第 {line} 行第 {column} 列不是 UTF-8 文本"),
        Damage::Syntax {
            line,
            column,
            message,
        } => format!("第 {line} 行第 {column} 列：{message}"),
        Damage::BadFormat { value } => format!("format = {value} 不是从 1 起的整数"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_points_read_as_people_write_them() {
        for (count, text) in [
            (0, "0"),
            (1, "0.5"),
            (15, "7.5"),
            (-15, "-7.5"),
            (-1, "-0.5"),
            (360, "180"),
        ] {
            assert_eq!(halves(count), text);
        }
    }

    #[test]
    fn the_language_follows_the_tag() {
        for (tag, lang) in [
            ("zh-CN", Lang::Zh),
            ("zh_TW.UTF-8", Lang::Zh),
            ("ZH", Lang::Zh),
            ("en-GB", Lang::En),
            ("", Lang::En),
            ("é", Lang::En),
        ] {
            assert_eq!(lang_of_tag(tag), lang, "{tag}");
        }
    }
}
