//! The app in a window that draws into memory with the renderer that players use, for the benches.
//!
//! Only what has changed since the frame before is drawn, as on a screen. The clock stands until it
//! is told to go on, so an animation has as many frames as are asked for and no more.

use std::cell::{Cell, RefCell};
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use qiju::screens::App;
use slint::platform::software_renderer::{
    MinimalSoftwareWindow, PremultipliedRgbaColor, RepaintBufferType,
};
use slint::platform::{Platform, WindowAdapter};
use slint::{ComponentHandle, Model, ModelRc, PhysicalSize, PlatformError};

/// Longer than any animation of the screens.
const LONG: Duration = Duration::from_secs(2);

/// The app, its window and the pixels.
pub struct Drawn {
    /// The app itself.
    pub app: App,
    window: Rc<MinimalSoftwareWindow>,
    pixels: RefCell<Vec<PremultipliedRgbaColor>>,
    /// Pixels in a line.
    width: usize,
    clock: Rc<Cell<Duration>>,
}

thread_local! {
    /// The platform's clock and the window that it made last; there is one platform for each thread.
    static HEADLESS: Headless = Headless::install();
}

/// What the platform shares with the windows that it makes.
struct Headless {
    clock: Rc<Cell<Duration>>,
    newest: Rc<RefCell<Option<Rc<MinimalSoftwareWindow>>>>,
}

impl Headless {
    fn install() -> Self {
        let shared = Self {
            clock: Rc::default(),
            newest: Rc::default(),
        };
        let platform = Self {
            clock: shared.clock.clone(),
            newest: shared.newest.clone(),
        };
        slint::platform::set_platform(Box::new(platform))
            .unwrap_or_else(|error| panic!("this thread has a backend already: {error}"));
        shared
    }
}

impl Platform for Headless {
    fn create_window_adapter(&self) -> Result<Rc<dyn WindowAdapter>, PlatformError> {
        let window = MinimalSoftwareWindow::new(RepaintBufferType::ReusedBuffer);
        *self.newest.borrow_mut() = Some(window.clone());
        Ok(window)
    }

    fn duration_since_start(&self) -> Duration {
        self.clock.get()
    }
}

impl Drawn {
    /// Starts the app as `program` with its data in `data` and the plugins of `bundled`, in a window
    /// of so many physical pixels (one for each logical one), and draws the first frame.
    pub fn start(data: &Path, bundled: &Path, program: &Path, (width, height): (u32, u32)) -> Self {
        let (clock, newest) = HEADLESS.with(|shared| (shared.clock.clone(), shared.newest.clone()));
        let app = crate::app(data, &[bundled], program);
        app.window()
            .show()
            .unwrap_or_else(|error| panic!("not shown: {error}"));
        let Some(window) = newest.take() else {
            panic!("the app made no window")
        };
        window.set_size(PhysicalSize::new(width, height));
        let (width, height) = (width as usize, height as usize);
        let drawn = Self {
            app,
            window,
            pixels: RefCell::new(vec![PremultipliedRgbaColor::default(); width * height]),
            width,
            clock,
        };
        assert!(drawn.draw() > 0, "there is no first frame");
        drawn
    }

    /// Draws one frame if anything has changed. Returns the number of pixels drawn.
    pub fn draw(&self) -> usize {
        slint::platform::update_timers_and_animations();
        let mut count = 0;
        self.window.draw_if_needed(|renderer| {
            let region = renderer.render(&mut self.pixels.borrow_mut(), self.width);
            count = region
                .iter()
                .map(|(_, size)| (size.width * size.height) as usize)
                .sum();
        });
        count
    }

    /// Waits for disk and opponent, lets every animation run out and draws until nothing moves.
    pub fn rest(&self) {
        /// More frames than that in a row mean that something never comes to rest.
        const FRAMES: usize = 100;
        self.app.settle();
        for _ in 0..FRAMES {
            self.clock.set(self.clock.get() + LONG);
            if self.draw() == 0 {
                return;
            }
        }
        panic!("the window does not come to rest");
    }

    /// Begins a game between two people on a board that `option` (a key and a number) describes;
    /// a tap is a move at once.
    pub fn play(&self, game: &str, (key, value): (&str, i32)) {
        // The settings' screen holds the settings only once it has been opened.
        self.app.open(qiju::Page::Settings);
        let preferences = self.app.window().global::<qiju::Preferences>();
        preferences.set_confirm_move(2);
        preferences.invoke_changed();
        self.app.open_new_game(game);
        let screen = self.app.window().global::<qiju::NewGame>();
        let Some(row) = screen.get_options().iter().position(|row| row.key == key) else {
            panic!("{game} has no option {key:?}")
        };
        screen.invoke_set_number(i32::try_from(row).unwrap_or(-1), value);
        for side in 0..screen.get_seats().row_count() {
            screen.invoke_set_human(i32::try_from(side).unwrap_or(-1), true);
        }
        self.app.start_draft();
        self.rest();
    }

    /// Taps on a cell of the first area, as the board does when it is clicked.
    pub fn tap(&self, cell: i32) {
        self.app.window().global::<qiju::Play>().invoke_tap(0, cell);
    }

    /// Takes back the last move and draws that.
    pub fn undo(&self) {
        self.app.settle();
        self.app.window().global::<qiju::Play>().invoke_undo();
        self.rest();
    }

    /// The rows of the first area: the model behind the board on screen.
    pub fn cells(&self) -> ModelRc<qiju::CellView> {
        let area = self
            .app
            .window()
            .global::<qiju::Play>()
            .get_areas()
            .row_data(0);
        area.unwrap_or_else(|| panic!("no board is open")).cells
    }
}

impl Drop for Drawn {
    fn drop(&mut self) {
        self.app.quit();
        // Nothing else breaks the ring of window and app.
        let _ = self.app.window().hide();
    }
}
