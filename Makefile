# Thin: CMake builds, the scripts in tools/ do the rest. `make help` lists the targets.
PREFIX ?= /usr/local
JOBS   ?= $(shell nproc 2>/dev/null || echo 2)
export JOBS
MAKEFLAGS += --no-print-directory

.PHONY: all help deps demo check deb site wasm test test-long bench bench-peers fuzz format check-format tidy page equations install clean

all: build/CMakeCache.txt  ## the tool build/trammel and the libraries build/libtrammel.so and .a
	cmake --build build -j $(JOBS) --target trammel trammel_static trammel_tool trammel_page

build/CMakeCache.txt: CMakePresets.json
	@command -v cmake >/dev/null || { echo "cmake is not installed; 'make deps' installs what is missing"; exit 1; }
	@# a cache that a failed configuration leaves would be taken for one to build from
	cmake --preset default || { rm -f $@; exit 1; }
	@touch $@

help:  ## this list
	@sed -nE 's/^([a-z-]+):.*## (.*)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 14

deps:  ## install the Debian packages that are missing
	@tools/install_deps test

demo:  ## build, simulate a scene and make a report of it, opened where there is a browser
	@tools/install_deps build
	@[ -f build/CMakeCache.txt ] || cmake --preset default >build.log 2>&1 || { cat build.log; rm -f build.log build/CMakeCache.txt; exit 1; }
	@rm -f build.log
	@tools/quiet build/build.log cmake --build build -j $(JOBS) --target trammel_tool
	@tools/demo

check:  ## the everyday test: one compiler, about two minutes of tests once it is built
	@tools/install_deps build
	@tools/check

deb:  ## the Debian packages, into out/deb
	@tools/install_deps deb
	@tools/make_deb

site: build/CMakeCache.txt  ## the documentation as pages that open from disk, into out/site (needs Node and Python)
	@tools/quiet build/build.log cmake --build build -j $(JOBS) --target trammel_tool trammel_scene_keys
	@tools/page_modules && node tools/site/build.mjs build/trammel out/site

wasm:  ## the library for WebAssembly: an npm package and the playground, into out (installs emscripten)
	@tools/install_deps wasm
	@tools/make_wasm

test:  ## static checks and unit tests with gcc, clang and the sanitizers
	@tools/install_deps test --say
	@echo "all of it takes about half an hour on two cores; 'make check' is the quick form"
	@tools/install_deps test
	@tools/test

test-long: deps  ## the same, with the tests that take minutes
	@TRAMMEL_TEST_LONG=1 TEST_SECONDS=3600 tools/test

bench:  ## build for speed and run every benchmark
	cmake --preset bench
	cmake --build --preset bench -j $(JOBS)
	@for program in build-bench/bench/*; do [ ! -x "$$program" ] || "$$program" || exit 1; done

bench-peers:  ## the benchmarks that run other engines too; installs those engines
	@tools/install_deps peers
	cmake --preset bench -DTRAMMEL_PEERS=ON
	cmake --build --preset bench -j $(JOBS)
	@for name in chains rigid contact piles nets; do build-bench/bench/$$name || exit 1; done

fuzz: deps  ## a minute of libFuzzer for every format that is read
	@tools/run_fuzz

format:  ## lay out every C file by .clang-format
	@tools/check_format --fix

check-format:  ## say which files `make format` would change
	@tools/check_format

tidy: all  ## clang-tidy over the library and the tool
	clang-tidy --quiet -p build $(shell find src app viewer scenes -name '*.c' 2>/dev/null)

page:  ## bundle the viewer's page anew (needs Node); the bundle is committed
	@tools/page_modules && node viewer/page/build.mjs

equations:  ## write docs/equations.md from the tags in the sources
	@tools/equations

install: all  ## install into PREFIX, /usr/local by default
	@cmake --install build --prefix $(PREFIX) >build/install.log || { cat build/install.log; exit 1; }
	@tools/after_install $(PREFIX)

clean:  ## remove every build folder
	rm -rf build build-clang build-asan build-debug build-bench build-fuzz build-tsan build-wasm
